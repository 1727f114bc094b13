import { type ChatMessage, isRunning, type ModelInfo } from '@palimpsest/core/domain'
import { type ReactNode, useRef, useState } from 'react'
import type { MessageActions } from '../message/message-actions.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { useStickToEnd } from '../thread/use-stick-to-end.ts'
import { CompareAnnouncer } from './compare-announcer.tsx'
import { CompareCell } from './compare-cell.tsx'
import type { ComparedTurn, CompareSide, Which } from './compare-side.ts'

export type CompareViewProps = {
  left: CompareSide
  right: CompareSide
  /** What both have before the fork. */
  common: readonly ChatMessage[]
  turns: readonly ComparedTurn[]
  models: readonly ModelInfo[]
  actions: Record<Which, MessageActions>
  /** The side that narrow screens show. */
  shown: Which
  /** At the top: a button for earlier messages, or a note that the chats have none in common. */
  lead?: ReactNode
}

/** Two sessions side by side, turn by turn from where they part; narrow screens show one of them at a time. */
export function CompareView({ left, right, common, turns, models, actions, shown, lead }: CompareViewProps) {
  const { compare } = useMessages().history
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const stick = useStickToEnd(scroller, content)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <div
        ref={scroller}
        role="log"
        aria-label={compare.title}
        aria-live="off"
        aria-busy={[left, right].some(({ status }) => isRunning(status))}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        onScroll={stick.handleScroll}
        className="thread-scroller"
      >
        <div ref={content} className="mx-auto max-w-compare px-4 pb-8">
          {lead}
          {common.length > 0 && (
            <div className="trace flex items-center gap-2 pt-4 text-xs text-muted">
              <span aria-hidden className="trace-line" />
              {compare.common(common.length)}
              <Button small variant="quiet" aria-expanded={opened} onClick={() => setOpened(!opened)}>
                {opened ? compare.hideCommon : compare.showCommon}
              </Button>
              <span aria-hidden className="trace-line" />
            </div>
          )}
          {opened && (
            <div className="mx-auto max-w-column">
              <CompareCell
                turn={{ prompt: null, replies: common }}
                side={left}
                models={models}
                actions={actions.left}
              />
            </div>
          )}
          {turns.map((turn, at) => (
            <section
              // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
              key={at}
              aria-label={compare.turn(at + 1)}
              className={cx('grid gap-x-10 border-line md:grid-cols-2', at > 0 && 'border-t')}
            >
              <CompareCell
                turn={turn.left}
                other={turn.right}
                side={left}
                models={models}
                actions={actions.left}
                newest={at === newestTurn(turns, 'left')}
                className={cx(shown === 'right' && 'max-md:hidden')}
              />
              <CompareCell
                turn={turn.right}
                other={turn.left}
                side={right}
                models={models}
                actions={actions.right}
                newest={at === newestTurn(turns, 'right')}
                className={cx(shown === 'left' && 'max-md:hidden', 'border-line md:border-l md:pl-5')}
              />
            </section>
          ))}
        </div>
      </div>
      <CompareAnnouncer side={left} message={newestMessage(turns, 'left')} />
      <CompareAnnouncer side={right} message={newestMessage(turns, 'right')} />
    </>
  )
}

function newestMessage(turns: readonly ComparedTurn[], which: Which): ChatMessage | undefined {
  const turn = turns[newestTurn(turns, which)]?.[which]
  return turn?.replies.at(-1) ?? turn?.prompt ?? undefined
}

function newestTurn(turns: readonly ComparedTurn[], which: Which): number {
  return turns.findLastIndex((turn) => turn[which] !== null)
}

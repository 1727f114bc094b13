import { type ChatMessage, isRunning, type ModelInfo } from '@palimpsest/core/domain'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { MessageActions } from '../message/message-actions.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { useStickToEnd } from '../thread/use-stick-to-end.ts'
import { CompareAnnouncer } from './compare-announcer.tsx'
import { CompareCell, replyText } from './compare-cell.tsx'
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
  const [compared, setCompared] = useState<readonly string[]>([])
  useFollowSent(turns, stick.follow)
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
            <div className="flex items-center gap-2 pt-4 text-xs text-muted">
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
          {common.length > 0 && turns.length === 0 && (
            <p className="py-8 text-center text-sm text-muted">{compare.alike}</p>
          )}
          {turns.map((turn, at) => {
            const key = keyOf(turn)
            const differences = compared.includes(key)
            const onDifferences = isComparable(turn, [left, right])
              ? () => setCompared(differences ? compared.filter((one) => one !== key) : [...compared, key])
              : undefined
            const shared = { models, differences: differences && onDifferences !== undefined, onDifferences }
            return (
              <section
                key={key}
                aria-label={compare.turn(at + 1)}
                className={cx('grid gap-x-10 border-line md:grid-cols-2', at > 0 && 'border-t')}
              >
                <CompareCell
                  turn={turn.left}
                  other={turn.right}
                  side={left}
                  {...shared}
                  actions={actions.left}
                  newest={at === newestTurn(turns, 'left')}
                  className={cx(shown === 'right' && 'max-md:hidden')}
                />
                <CompareCell
                  turn={turn.right}
                  other={turn.left}
                  side={right}
                  {...shared}
                  actions={actions.right}
                  newest={at === newestTurn(turns, 'right')}
                  className={cx(shown === 'left' && 'max-md:hidden', 'border-line md:border-l md:pl-5')}
                />
              </section>
            )
          })}
        </div>
      </div>
      <CompareAnnouncer side={left} message={newestMessage(turns, 'left')} />
      <CompareAnnouncer side={right} message={newestMessage(turns, 'right')} />
    </>
  )
}

/** Goes to the end when a message is added to either side: both answers come into view there. */
function useFollowSent(turns: readonly ComparedTurn[], follow: () => void): void {
  const sent = (['left', 'right'] as const)
    .map((which) => turns[newestTurn(turns, which)]?.[which]?.prompt?.id)
    .join(' ')
  const seen = useRef(sent)
  useEffect(() => {
    if (sent !== seen.current) follow()
    seen.current = sent
  }, [sent, follow])
}

/** Whether both sides have a reply to compare that is complete, and in other words. */
function isComparable({ left, right }: ComparedTurn, sides: readonly CompareSide[]): boolean {
  if (left === null || right === null) return false
  const [one, other] = [replyText(left), replyText(right)]
  const streaming = sides.map(({ streamingId }) => streamingId)
  const isWritten = [...left.replies, ...right.replies].some(({ id }) => streaming.includes(id))
  return one !== '' && other !== '' && one !== other && !isWritten
}

function keyOf({ left, right }: ComparedTurn): string {
  return [left, right].map((turn) => turn?.prompt?.id ?? turn?.replies[0]?.id ?? '').join(' ')
}

function newestMessage(turns: readonly ComparedTurn[], which: Which): ChatMessage | undefined {
  const turn = turns[newestTurn(turns, which)]?.[which]
  return turn?.replies.at(-1) ?? turn?.prompt ?? undefined
}

function newestTurn(turns: readonly ComparedTurn[], which: Which): number {
  return turns.findLastIndex((turn) => turn[which] !== null)
}

import type { PendingPermission } from '@palimpsest/core/domain'
import { ShieldQuestion } from 'lucide-react'
import { useId, useMemo, useRef } from 'react'
import { FoldButton } from '../exact/exact-lines.tsx'
import { visibleText } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { inWords } from './approval-card.tsx'
import { AskCard, type AskFrame, AskKey } from './ask-card.tsx'
import { AskContent } from './ask-content.tsx'
import { askView } from './ask-sections.ts'
import { useArmed } from './use-armed.ts'
import { useEndSeen } from './use-end-seen.ts'

export type ApproveAllCardProps = {
  /** The calls of one tool that one step asks for, the oldest first. */
  permissions: readonly PendingPermission[]
  frame: AskFrame
  /** True while the replies are on their way. */
  busy: boolean
  onAllow: () => void
  /** Asks about them one by one again. */
  onBack: () => void
}

/** Asks once whether several calls may be made, each shown whole; they can be allowed once the end was in view. */
export function ApproveAllCard({ permissions, frame, busy, onAllow, onBack }: ApproveAllCardProps) {
  const { ask } = useMessages()
  const box = useRef<HTMLDivElement>(null)
  const hint = useId()
  const endSeen = useEndSeen(box)
  const off = !useArmed() || busy
  const views = useMemo(
    () =>
      permissions.map((permission) => ({
        permission,
        // A lasting permission is not given here.
        sections: askView(inWords(permission, ask), null).sections.filter(({ kind }) => kind !== 'patterns'),
      })),
    [permissions, ask],
  )
  const scrollToEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  const replies = [
    { label: ask.oneByOne, run: onBack, primary: false },
    { label: ask.allowAll(permissions.length), run: endSeen ? onAllow : null, primary: true },
  ]
  return (
    <AskCard
      {...frame}
      icon={<ShieldQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.approveAll(permissions.length, visibleText(permissions[0]?.tool ?? ''))}
      onDigit={(digit) => {
        if (digit === 0) scrollToEnd()
        else if (!off) replies[digit - 1]?.run?.()
      }}
    >
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        className="min-h-0 overflow-y-auto px-4 py-2.5"
      >
        <ol className="space-y-3">
          {views.map(({ permission, sections }, at) => (
            <li key={permission.id} className="space-y-2 border-line not-first:border-t not-first:pt-3">
              <h3 className="text-xs font-medium text-faint tabular-nums">
                {ask.place(at + 1, permissions.length)}
              </h3>
              <AskContent
                permission={permission}
                sections={sections}
                choice={{ chosen: '', busy, onChoose: () => undefined }}
                onOpen={() => undefined}
              />
            </li>
          ))}
        </ol>
        {!endSeen && (
          <div className="sticky -bottom-2.5">
            <FoldButton label={ask.below} onOpen={scrollToEnd} />
          </div>
        )}
      </div>
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
        {!endSeen && (
          <p id={hint} className="grow basis-full text-xs leading-tight text-muted md:basis-0">
            {ask.seeFirst}
          </p>
        )}
        {replies.map(({ label, primary, run }, index) => (
          <Button
            key={label}
            variant={primary ? 'primary' : 'outline'}
            disabled={off || run === null}
            {...(run === null ? { 'aria-describedby': hint } : { onClick: run })}
            className="grow basis-[40%] md:grow-0 md:basis-auto coarse:h-11"
          >
            {label}
            <AskKey digit={index + 1} dimmed={frame.writing === true} />
          </Button>
        ))}
      </div>
      <p role="status" className="sr-only">
        {busy && ask.sending}
      </p>
    </AskCard>
  )
}

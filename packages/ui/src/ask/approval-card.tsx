import type { PendingPermission } from '@palimpsest/core/domain'
import { ShieldQuestion } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { toJson } from '../tool/tool-part.ts'
import { AskCard, type AskFrame } from './ask-card.tsx'
import { useArmed } from './use-armed.ts'
import { visibleText } from './visible-text.ts'

export type ApprovalCardProps = {
  permission: PendingPermission
  frame: AskFrame
  /** True while a reply is on its way. */
  busy: boolean
  reason: string
  /** Characters that a reason may have. */
  maxCharacters: number
  onReasonChange: (reason: string) => void
  onAllow: () => void
  onDeny: () => void
}

/** Asks whether a call may be made: the tool, all of its arguments, and why it is asked. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { permission, busy, reason } = props
  const { ask } = useMessages()
  const off = !useArmed() || busy
  return (
    <AskCard
      {...props.frame}
      icon={<ShieldQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.approve(visibleText(permission.tool))}
    >
      <div className="min-h-0 space-y-2 overflow-y-auto px-4 py-2.5">
        <Arguments args={permission.args} />
        <p className="text-sm text-muted wrap-anywhere">
          <span className="sr-only">{ask.why}: </span>
          {visibleText(permission.reason)}
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
        <input
          aria-label={ask.reason}
          placeholder={ask.reasonHint}
          value={reason}
          maxLength={props.maxCharacters}
          readOnly={busy}
          onChange={(event) => props.onReasonChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || off || reason.trim() === '') return
            event.preventDefault()
            props.onDeny()
          }}
          className="h-control min-w-40 grow basis-full rounded-md border border-line-strong bg-paper px-2.5 text-sm md:basis-0 coarse:h-11"
        />
        <Button disabled={off} onClick={props.onDeny} className="grow md:grow-0 coarse:h-11">
          {ask.deny}
        </Button>
        <Button
          variant="primary"
          disabled={off}
          onClick={props.onAllow}
          className="grow md:grow-0 coarse:h-11"
        >
          {ask.once}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {busy && ask.sending}
      </p>
    </AskCard>
  )
}

/** The arguments that say most by themselves, in this order; they come before all others. */
const COMMANDS = ['command', 'cmd', 'script']

/** Every argument, whole: text as it is, all else as JSON. */
function Arguments({ args }: { args: object }) {
  const { ask } = useMessages()
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className="text-sm text-muted">{ask.noArguments}</p>
  const rank = (name: string) => (COMMANDS.includes(name) ? 0 : 1)
  return (
    <dl className="space-y-1.5">
      {entries
        .toSorted(([a], [b]) => rank(a) - rank(b))
        .map(([name, value]: [string, unknown]) => (
          <div key={name}>
            <dt className={rank(name) === 0 && typeof value === 'string' ? 'sr-only' : 'text-xs text-faint'}>
              {visibleText(name)}
            </dt>
            <dd dir="ltr" className="rounded-md bg-inset px-3 py-2 font-code text-sm leading-snug">
              <span className="whitespace-pre-wrap wrap-anywhere">
                {visibleText(typeof value === 'string' ? value : toJson(value))}
              </span>
            </dd>
          </div>
        ))}
    </dl>
  )
}

import type { PendingPermission, PermissionScope } from '@palimpsest/core/domain'
import { ShieldQuestion } from 'lucide-react'
import { useId } from 'react'
import { LazyDiff } from '../diff/lazy-diff.tsx'
import type { Messages } from '../messages/en.ts'
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
  /** The pattern that was chosen for a lasting permission; the first one while none was. */
  pattern: string | undefined
  /** Characters that a reason may have. */
  maxCharacters: number
  onReasonChange: (reason: string) => void
  onPatternChange: (pattern: string) => void
  onAllow: (scope: PermissionScope, pattern?: string) => void
  onDeny: () => void
}

/** Asks whether a call may be made: the tool, all of its arguments or the change that it makes, and why it is asked. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { permission, busy } = props
  const { tool, args, change, reason } = permission
  const { ask } = useMessages()
  const off = !useArmed() || busy
  const replies = repliesOf(props, ask)
  return (
    <AskCard
      {...props.frame}
      icon={<ShieldQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.approve(visibleText(tool))}
      onDigit={(digit) => !off && replies[digit - 1]?.run()}
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        className="min-h-0 space-y-2 overflow-y-auto px-4 py-2.5"
      >
        {change && <LazyDiff change={change} className="max-h-[26dvh]" />}
        {(change === undefined || change.truncated === true) && <Arguments args={args} />}
        <p className="text-sm text-muted wrap-anywhere">
          <span className="sr-only">{ask.why}: </span>
          {visibleText(reason)}
        </p>
      </div>
      <div className="shrink-0 space-y-2 border-line border-t px-4 py-2.5">
        <PatternChoice {...props} />
        <div className="flex flex-wrap items-center justify-end gap-2">
          <input
            type="text"
            aria-label={ask.reason}
            placeholder={ask.reasonHint}
            value={props.reason}
            maxLength={props.maxCharacters}
            readOnly={busy}
            onChange={(event) => props.onReasonChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || off || props.reason.trim() === '')
                return
              event.preventDefault()
              props.onDeny()
            }}
            className="h-control min-w-40 grow basis-full rounded-md border border-line-strong bg-paper px-2.5 text-sm coarse:h-11"
          />
          {replies.map(({ label, primary, run }, index) => (
            <Button
              key={label}
              variant={primary ? 'primary' : 'outline'}
              disabled={off}
              onClick={run}
              className="grow basis-[40%] md:grow-0 md:basis-auto coarse:h-11"
            >
              {label}
              <span aria-hidden className="text-xs tabular-nums opacity-60 coarse:hidden">
                {index + 1}
              </span>
            </Button>
          ))}
        </div>
      </div>
      <p role="status" className="sr-only">
        {busy && ask.sending}
      </p>
    </AskCard>
  )
}

type Reply = { label: string; primary?: true; run: () => void }

/** The replies in the order of their number keys; lasting ones only where a pattern is proposed. */
function repliesOf(
  { permission, pattern, onDeny, onAllow }: ApprovalCardProps,
  ask: Messages['ask'],
): Reply[] {
  const chosen = chosenPattern(permission, pattern)
  const replies: Reply[] = [
    { label: ask.deny, run: onDeny },
    { label: ask.once, primary: true, run: () => onAllow('once') },
  ]
  if (chosen === undefined) return replies
  return [
    ...replies,
    { label: ask.session, run: () => onAllow('session', chosen) },
    { label: ask.project, run: () => onAllow('project', chosen) },
  ]
}

function chosenPattern({ patterns }: PendingPermission, pattern: string | undefined): string | undefined {
  return pattern !== undefined && patterns.includes(pattern) ? pattern : patterns[0]
}

/** What a reply for the chat or the project allows from then on. */
function PatternChoice({ permission, pattern, busy, onPatternChange }: ApprovalCardProps) {
  const { ask } = useMessages()
  const name = useId()
  const chosen = chosenPattern(permission, pattern)
  if (chosen === undefined) return null
  if (permission.patterns.length === 1)
    return <p className="text-xs text-muted wrap-anywhere">{ask.only(visibleText(chosen))}</p>
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 text-sm" disabled={busy}>
      <legend className="float-left mr-4 text-xs text-muted">{ask.lasting}</legend>
      {permission.patterns.map((one) => (
        <label key={one} className="inline-flex min-w-0 items-center gap-1.5 coarse:min-h-11">
          <input
            type="radio"
            className="accent-ink"
            name={name}
            checked={one === chosen}
            onChange={() => onPatternChange(one)}
          />
          <span className="font-code text-xs wrap-anywhere">{visibleText(one)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The arguments that say most by themselves, in this order; they come before all others. */
const COMMANDS = ['command', 'cmd', 'script']

/** Every argument, whole: text as it is, numbers and switches in one line, all else as JSON. */
function Arguments({ args }: { args: object }) {
  const { ask } = useMessages()
  const entries: [string, unknown][] = Object.entries(args)
  if (entries.length === 0) return <p className="text-sm text-muted">{ask.noArguments}</p>
  const rank = (name: string) => (COMMANDS.includes(name) ? 0 : 1)
  const short = entries.filter(isShort)
  return (
    <>
      <dl className="space-y-1.5">
        {entries
          .filter((entry) => !isShort(entry))
          .toSorted(([a], [b]) => rank(a) - rank(b))
          .map(([name, value]) => (
            <div key={name}>
              <dt
                className={rank(name) === 0 && typeof value === 'string' ? 'sr-only' : 'text-xs text-faint'}
              >
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
      {short.length > 0 && (
        <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {short.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1.5">
              <dt className="text-faint wrap-anywhere">{visibleText(name)}</dt>
              <dd className="font-code wrap-anywhere">{toJson(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function isShort([, value]: [string, unknown]): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

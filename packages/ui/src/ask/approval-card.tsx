import type { PendingPermission, PermissionScope } from '@palimpsest/core/domain'
import { ShieldQuestion } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { FoldButton } from '../exact/exact-lines.tsx'
import type { Budget } from '../exact/shown-lines.ts'
import { visibleText } from '../exact/visible-text.ts'
import type { Messages } from '../messages/en.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { useMediaQuery } from '../primitives/use-media-query.ts'
import { AskCard, type AskFrame, AskKey } from './ask-card.tsx'
import { AskContent } from './ask-content.tsx'
import { askView, isCut, patternsFit } from './ask-sections.ts'
import { PatternChoice } from './pattern-choice.tsx'
import { useArmed } from './use-armed.ts'
import { useEndSeen } from './use-end-seen.ts'

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
  /** False for a chat without a folder, which has no project to allow anything in. */
  hasProject?: boolean
  onAllow: (scope: PermissionScope, pattern?: string) => void
  onDeny: () => void
  /** How many calls of this tool the step asks for, with this one; several can be allowed at once. */
  alike?: number
  /** Shows all of them, to allow them at once. */
  onShowAll?: () => void
}

/** How much of what is asked the person could see: parts are folded, the end is further down, or all of it. */
type Review = 'folded' | 'below' | 'whole'

const WIDE: Budget = { columns: 72, whole: 18, head: 8, tail: 6 }
const NARROW: Budget = { columns: 38, whole: 12, head: 5, tail: 3 }

/**
 * Asks whether a call may be made: why it is asked, and the change that it makes or all of its arguments. It can be allowed once
 * nothing of that is folded or was never in view.
 */
export function ApprovalCard(props: ApprovalCardProps) {
  const { permission, busy } = props
  const { ask } = useMessages()
  const box = useRef<HTMLDivElement>(null)
  const hint = useId()
  const narrow = useMediaQuery('(width < 48rem)')
  const [opened, setOpened] = useState(false)
  const endSeen = useEndSeen(box)
  const { sections, folded } = useMemo(
    () => askView(inWords(permission, ask), opened ? null : narrow ? NARROW : WIDE),
    [permission, opened, narrow, ask],
  )
  const review: Review = opened ? 'whole' : folded ? 'folded' : endSeen ? 'whole' : 'below'
  const off = !useArmed() || busy
  const replies = repliesOf(props, review, ask)
  const open = () => {
    if (review === 'whole') return
    if (review === 'folded') setOpened(true)
    else box.current?.scrollTo({ top: box.current.scrollHeight })
    // The button that was pressed goes.
    if (box.current?.contains(document.activeElement)) box.current.focus({ preventScroll: true })
  }
  const chosen = chosenPattern(permission, props.pattern)
  const choice = chosen !== undefined && { chosen, busy, onChoose: props.onPatternChange }
  return (
    <AskCard
      {...props.frame}
      icon={<ShieldQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.approve(visibleText(permission.tool))}
      onDigit={(digit) => {
        if (digit === 0) open()
        else if (!off) replies[digit - 1]?.run?.()
      }}
    >
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        className="min-h-0 space-y-2 overflow-y-auto px-4 py-2.5"
      >
        <AskContent
          permission={permission}
          sections={sections}
          choice={choice || { chosen: '', busy, onChoose: props.onPatternChange }}
          onOpen={open}
        />
        {review === 'below' && (
          <div className="sticky -bottom-2.5">
            <FoldButton label={ask.below} onOpen={open} />
          </div>
        )}
      </div>
      <div className="shrink-0 space-y-2 border-line border-t px-4 py-2.5">
        {choice && patternsFit(permission.patterns) && (
          <PatternChoice {...choice} patterns={permission.patterns} />
        )}
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
          {review !== 'whole' && (
            <p id={hint} className="grow basis-full text-xs leading-tight text-muted md:basis-0">
              {review === 'folded' ? ask.openFirst : ask.seeFirst}
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
              <AskKey digit={index + 1} dimmed={props.frame.writing === true} />
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

/** The same, with its reason in the language of the page where it is one of the usual ones. */
export function inWords(permission: PendingPermission, { reasons }: Messages['ask']): PendingPermission {
  const [, none, rule] =
    /^(?:No rule allows this: (.+)|A rule asks about this: (.+))\.$/s.exec(permission.reason) ?? []
  if (none !== undefined) return { ...permission, reason: reasons.none(none) }
  return rule === undefined ? permission : { ...permission, reason: reasons.rule(rule) }
}

/** `run` is null while the reply can't be given. */
type Reply = { label: string; primary?: true; run: (() => void) | null }

/** The replies in the order of their number keys; lasting ones only where a pattern is proposed. */
function repliesOf(
  { permission, pattern, hasProject = true, alike = 1, onDeny, onAllow, onShowAll }: ApprovalCardProps,
  review: Review,
  ask: Messages['ask'],
): Reply[] {
  const chosen = chosenPattern(permission, pattern)
  const allow = (scope: PermissionScope, given?: string) =>
    review === 'whole' ? () => onAllow(scope, given) : null
  const replies: Reply[] = [
    { label: ask.deny, run: onDeny },
    { label: ask.once, primary: true, run: allow('once') },
  ]
  const all = alike > 1 && onShowAll ? [{ label: ask.showAll(alike), run: onShowAll }] : []
  if (chosen === undefined) return [...replies, ...all]
  return [
    ...replies,
    { label: ask.session, run: allow('session', chosen) },
    ...(hasProject ? [{ label: ask.project, run: allow('project', chosen) }] : []),
    ...all,
  ]
}

function chosenPattern(permission: PendingPermission, pattern: string | undefined): string | undefined {
  if (isCut(permission)) return undefined
  const { patterns } = permission
  return pattern !== undefined && patterns.includes(pattern) ? pattern : patterns[0]
}

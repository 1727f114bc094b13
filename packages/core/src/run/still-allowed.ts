import type { Ask } from '../domain/permission/ask.ts'
import type { Requirement } from '../domain/permission/permission.ts'
import { changes } from '../permission/decide-call.ts'
import { decideByPolicy, type Policy } from '../permission/policy.ts'
import type { WatchVerdict } from '../permission/watchdog.ts'

/** Whether the reply has the call carried out, or go on. */
export function isCarriedOut({ reply }: Ask): boolean {
  return reply?.type === 'approved' || reply?.type === 'answered'
}

/**
 * Why a call that has a person's reply is not made after all; null when it is. What denies it now counts, whether it was there when
 * the person was asked or not; what only asks does not, since the person has replied. What the call requires now has to be what the
 * person saw: anything more has to be a reading that is allowed unasked.
 */
export function whyNotMade(
  { request }: Ask,
  requirements: readonly Requirement[],
  policy: Policy,
  watched: WatchVerdict | null,
): string | null {
  const verdict = decideByPolicy(policy, requirements, watched)
  if (verdict.action === 'deny')
    return `The call was allowed, and is not made: since then it is denied. ${verdict.reason}`
  // Asks of earlier versions do not have what the call required.
  const shown = request.kind === 'approval' ? request.requirements : undefined
  if (shown === undefined) return null
  const unseen = requirements.filter((one) => !shown.some((seen) => covers(seen, one)))
  if (unseen.length === 0) return null
  const isAllowed = !unseen.some(changes) && decideByPolicy(policy, unseen, null).action === 'allow'
  return isAllowed ? null : `${CHANGED} ${unseen.map(described).slice(0, NAMED).join(', ')}.`
}

/** What the message names at most. */
const NAMED = 5
const CHANGED =
  'The call was allowed, and is not made: it would act on something else than was shown. Make it again to ask about'

/** What may do more than read was shown as such, and what no sandbox holds too. */
function covers(seen: Requirement, now: Requirement): boolean {
  const isSame = seen.permission === now.permission && seen.pattern === now.pattern
  const isHeld = seen.unboxed === true || now.unboxed !== true
  return isSame && isHeld && (seen.readOnly !== true || now.readOnly === true)
}

function described({ permission, pattern }: Requirement): string {
  return `${permission} ${pattern}`
}

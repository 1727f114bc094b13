import type { PermissionAction, PermissionMode } from '../domain/permission/permission.ts'
import { isStricter } from './evaluate.ts'

/** A call with valid arguments, before it is decided about. */
export type WatchedCall = {
  sessionId: string
  agentId: string
  toolId: string
  args: object
  mode: PermissionMode
  /** Real path of the session's folder; null when the operator does not allow it. */
  workspaceRoot: string | null
}

/** What the watchdog asks for; `reason` is a sentence for the person and the model. */
export type WatchVerdict = { action: PermissionAction; reason: string }

/**
 * Looks at each call before it is executed, and can only tighten what rules and mode allow: its `allow` changes nothing, as null
 * does. Pure and quick; one that throws denies the call.
 */
export type Watchdog = (call: WatchedCall) => WatchVerdict | null

/** The stricter of two verdicts; of equals the first. */
export function stricterVerdict(a: WatchVerdict | null, b: WatchVerdict | null): WatchVerdict | null {
  if (a === null || b === null) return a ?? b
  return isStricter(b.action, a.action) ? b : a
}

const FAILED: WatchVerdict = { action: 'deny', reason: 'The call could not be checked, so it is denied.' }

/** The verdict of a watchdog, or null without one. */
export function watch(watchdog: Watchdog | undefined, call: WatchedCall): WatchVerdict | null {
  try {
    return watchdog?.(call) ?? null
  } catch {
    return FAILED
  }
}

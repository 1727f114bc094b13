import type { PermissionAction, PermissionMode } from '../domain/permission.ts'
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

const FAILED: WatchVerdict = { action: 'deny', reason: 'The call could not be checked, so it is denied.' }

/** The verdict of a watchdog, or null without one. */
export function watch(watchdog: Watchdog | undefined, call: WatchedCall): WatchVerdict | null {
  try {
    return watchdog?.(call) ?? null
  } catch {
    return FAILED
  }
}

/** The stricter of two verdicts; of equally strict ones the first. */
export function stricter(first: WatchVerdict | null, second: WatchVerdict | null): WatchVerdict | null {
  if (first === null || second === null) return first ?? second
  return isStricter(second.action, first.action) ? second : first
}

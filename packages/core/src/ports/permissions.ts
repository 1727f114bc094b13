import type { Ask, AskReply } from '../domain/permission/ask.ts'
import type { GivenRule, PermissionMode } from '../domain/permission/permission.ts'
import type { Session } from '../domain/session/session.ts'

/** Whose sessions a rule is for: one session, or all of a workspace, which is a real path. */
export type RuleScope = { sessionId: string } | { workspaceRoot: string }

/** A lasting permission that a person gives with the reply to an ask. */
export type Grant = {
  askId: string
  reply: AskReply
  rule: GivenRule
  scope: RuleScope
  /** Other asks that the rule allows: they get the same reply, unless they have one. */
  alsoAllowed: readonly string[]
  at: number
}

/** Lasting permissions: rules that persons gave, and the modes of sessions. */
export interface PermissionStore {
  /** The rules for all sessions of a workspace, the oldest first. */
  ofWorkspace(workspaceRoot: string): Promise<GivenRule[]>
  /** The rules of all workspaces, the oldest first. */
  ofWorkspaces(): Promise<(GivenRule & { workspaceRoot: string })[]>
  /**
   * Stores the rule with the reply, in one transaction. Returns the asks that have their reply by it, that of the grant first.
   * `INVALID_INPUT` for an unknown ask, `CONFLICT` when it has a reply, `RATE_LIMITED` once the scope has `LIMITS.rules`.
   */
  grant(grant: Grant): Promise<Ask[]>
  /** Removes a rule. Returns whether there was one. `SESSION_NOT_FOUND`. */
  revoke(ruleId: string, scope: RuleScope, at: number): Promise<boolean>
  /** `SESSION_NOT_FOUND`. */
  setMode(sessionId: string, mode: PermissionMode, at: number): Promise<Session>
}

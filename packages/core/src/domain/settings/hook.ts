import type { JsonObject } from '../json/json.ts'

/** What a hook can be declared for. */
export const HOOK_EVENTS = [
  'session.create',
  'session.delete',
  'session.save',
  'session.archive',
  'message.user',
  'turn.start',
  'step.start',
  'step.end',
  'turn.end',
  'tool.before',
  'tool.after',
  'compaction.before',
  'compaction.after',
  'cost',
] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** What waits for its hooks, which can block it. The other events are only reported. */
export const BLOCKING_EVENTS = [
  'message.user',
  'turn.start',
  'step.start',
  'tool.before',
  'compaction.before',
] as const satisfies HookEvent[]

export type BlockingEvent = (typeof BLOCKING_EVENTS)[number]

/** What a hook is called with: the event, the session, epoch milliseconds, and the facts of the event. */
export type HookPayload = JsonObject & { event: HookEvent; sessionId: string; at: number }

/** What a hook decides about a blocking event; all of it is optional. */
export type HookAnswer = {
  /** `block` refuses what the event is about; `ask` has a person asked about a tool call. */
  decision?: 'block' | 'ask'
  /** A sentence for the person and the model. */
  reason?: string
  /** Stored with a user message under `hooks`. */
  metadata?: JsonObject
  /** The state of the workspace that a user message was sent in, on a host that keeps no snapshots. */
  snapshotId?: string
}

/** How a hook ended the last time. */
export type HookOutcome = {
  type: 'done' | 'blocked' | 'failed'
  at: number
  durationMs: number
  /** Why it blocked or failed. */
  message?: string
}

/** A declared hook, and how it does. */
export type HookView = {
  name: string
  event: HookEvent
  kind: 'command' | 'module'
  /** The program of a command with its script, without other arguments, or the path of a module. */
  source: string
  required: boolean
  timeoutMs: number
  /** The tools whose calls it is for; null for all. */
  tools: readonly string[] | null
  runs: number
  failures: number
  /** Runs that have blocked what they were asked about. */
  blocks: number
  last: HookOutcome | null
  /** The last time that it failed, which others may have followed. */
  lastFailure: HookOutcome | null
  /** The last time that it blocked something, with its reason. */
  lastBlock: HookOutcome | null
}

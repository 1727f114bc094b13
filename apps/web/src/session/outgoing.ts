import type { ChatMessage, FileChoices, ModelRef, PermissionMode } from '@palimpsest/core/domain'

/** A message on its way to the server. Its id is made here, so that sending it twice is sending it once. */
export type Outgoing = {
  readonly message: ChatMessage
  readonly model: ModelRef | null
  /** True when it was sent while a run was on or others waited, and will wait in the queue. */
  readonly queued: boolean
  readonly steer: boolean
  /** The user message that it replaces: that one and what came after it will be hidden. */
  readonly replaces: string | null
  /** What that does with files that somebody else has changed since. */
  readonly files?: FileChoices
  /** True when the session itself has to be made first. */
  readonly createsSession: boolean
  /** The folder of that session, null for none; without it the server's default. */
  readonly workspaceRoot?: string | null
  /** The mode of that session; without it `ask`. */
  readonly permissionMode?: PermissionMode
  /** The agent that it goes to; without it the session's own. */
  readonly agent?: string
  readonly state: OutgoingState
}

/** `retryable` when the server was out of reach, so that it goes out by itself when it is back. */
export type FailedState = {
  type: 'failed'
  failure: string
  retryable: boolean
  /** Files of an earlier operation are not restored: a person has to decide about them first. */
  filesPending?: true
}

export type OutgoingState =
  | { type: 'sending' }
  /** The server has it; an event that shows it is on its way. */
  | { type: 'sent' }
  | FailedState

/** Messages that are on their way into the thread; those that will wait in the queue are not. */
export function outgoingMessages(outgoing: readonly Outgoing[]): ChatMessage[] {
  return outgoing.flatMap(({ queued, message }) => (queued ? [] : [message]))
}

/** Whether a message could not be sent into the thread. */
export function isUnsent(outgoing: readonly Outgoing[]): boolean {
  return outgoing.some(({ queued, state }) => !queued && state.type === 'failed')
}

/** The list with one message's state changed. */
export function withOutgoingState(
  outgoing: readonly Outgoing[],
  messageId: string,
  state: OutgoingState,
): readonly Outgoing[] {
  return outgoing.map((entry) => (entry.message.id === messageId ? { ...entry, state } : entry))
}

/** The list without the messages that the server has shown. */
export function withoutSeen(outgoing: readonly Outgoing[], seen: ReadonlySet<string>): readonly Outgoing[] {
  const rest = outgoing.filter((entry) => !seen.has(entry.message.id))
  return rest.length === outgoing.length ? outgoing : rest
}

import type {
  Answer,
  ChatChunk,
  ChatMessage,
  FileChoices,
  FormRefusal,
  ModelRef,
  PermissionMode,
  PermissionScope,
  Session,
  SessionEvent,
} from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import type { InputPart } from './input-part.ts'
import type { Page, Snapshot } from './session-state.ts'

/** What a session's page asks of the server. Every promise fails with what `describeFailure` can read. */
export type SessionApi = {
  fetch(sessionId: string): Promise<Snapshot>
  timeline(sessionId: string): Promise<TimelineEntry[]>
  /** The page of messages that a cursor leads to. */
  /** The page before; `far` for as large a one as there is. */
  older(sessionId: string, cursor: string, far: boolean): Promise<Page>
  /** Making a session that is there already is no error. */
  create(input: {
    id: string
    model: ModelRef | null
    workspaceRoot?: string | null
    mode?: PermissionMode
    agent?: string
  }): Promise<Session>
  send(input: {
    sessionId: string
    message: { id: string; parts: InputPart[] }
    model: ModelRef | null
    steer: boolean
    /** A user message that this one replaces; it and what came after it is hidden. */
    replaces: string | null
    /** What that does with files that somebody else has changed since. */
    files?: FileChoices
    /** The agent that it goes to; without it the session's own. */
    agent?: string
  }): Promise<unknown>
  resend(sessionId: string, messageId: string, model: ModelRef | null): Promise<unknown>
  continue(sessionId: string): Promise<unknown>
  /** Without a run it stops whatever runs; with `pauseQueue` what is queued waits for a person. */
  abort(sessionId: string, runId: string | null, options?: { pauseQueue: true }): Promise<unknown>
  queue: {
    edit(
      sessionId: string,
      messageId: string,
      patch: { parts?: InputPart[]; steer?: boolean },
    ): Promise<ChatMessage>
    cancel(sessionId: string, messageId: string): Promise<unknown>
    /** A page of messages that were cancelled, the last queued first. */
    cancelled(sessionId: string, cursor: string | null): Promise<Page>
    restore(sessionId: string, messageId: string): Promise<unknown>
    reorder(sessionId: string, messageIds: string[]): Promise<unknown>
    promote(sessionId: string, messageId: string): Promise<unknown>
  }
  /** Decides about a call; `CONFLICT` when somebody has decided before. */
  replyToPermission(reply: {
    permissionId: string
    reply: PermissionScope | 'deny'
    /** What is allowed from then on, one of the patterns of the request. */
    pattern?: string
    reason?: string
  }): Promise<unknown>
  /** Sets what the session may do without asking. */
  setMode(sessionId: string, mode: PermissionMode): Promise<unknown>
  /** Gives one answer to each question; `CONFLICT` when somebody has answered before. */
  answer(questionId: string, answers: Answer[]): Promise<unknown>
  /** Refuses the form of a server. */
  refuse(questionId: string, refused: FormRefusal): Promise<unknown>
  /**
   * Listens until the answer is called. `onStarted` comes each time the subscription begins, the reconnects included,
   * before its first event.
   */
  watch(
    sessionId: string,
    watcher: { onStarted(): void; onEvent(event: SessionEvent): void; onError(error: unknown): void },
  ): () => void
  /**
   * The run's chunks from its start, each once, through lost connections, until it ends. `onLost` is called instead of
   * its last chunks when nobody keeps them any more but the store.
   */
  follow(
    run: { sessionId: string; runId: string },
    reader: { onChunks(chunks: ChatChunk[]): void; onLost(): void },
  ): () => void
}

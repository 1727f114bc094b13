import type { Answer, PendingPermission, PendingQuestion } from '../domain/ask.ts'
import type { SessionFeedEvent } from '../domain/event.ts'
import type { ChatChunk, ChatMessage, ChatPart } from '../domain/message.ts'
import type { ModelInfo, ModelRef } from '../domain/model.ts'
import type { Session, SessionMetadata, SessionView } from '../domain/session.ts'
import type { SessionStatus } from '../domain/status.ts'
import type { WindowContent } from '../domain/window-content.ts'
import type { HistoryService } from '../history/history-service.ts'
import type { Page, SearchHit, SessionQuery, UsageRow } from '../ports/store.ts'

export type CreateSession = {
  id?: string
  title?: string
  agent?: string
  model?: ModelRef
  workspaceRoot?: string
  metadata?: SessionMetadata
}

export type SendMessage = {
  sessionId: string
  message: { id?: string; parts: ChatPart[] }
  model?: ModelRef
  agent?: string
  /** A user message that this one replaces: it and everything after it is hidden. */
  replaceMessageId?: string
  /** During a run: the message enters it at its next step boundary instead of after its end. */
  steer?: boolean
}

export type SendResult = { messageId: string; runId?: string; queued: boolean }

export type QueueEdit = {
  sessionId: string
  messageId: string
  parts?: ChatPart[]
  model?: ModelRef
  steer?: boolean
}

/** `reason` goes to the model. */
export type PermissionReply = { permissionId: string; reply: 'once' | 'deny'; reason?: string }

export type UsageReport = { rows: UsageRow[]; counts: { sessions: number; messages: number } }

/**
 * The session service: the only interface of a surface. Every method fails with an `AppError` only; unknown ids are
 * `SESSION_NOT_FOUND` or `MESSAGE_NOT_FOUND`, and input out of bounds is `INVALID_INPUT` with its field.
 */
export interface SessionService {
  /** Creates a session. An id that exists returns its session when the content is the same, else `CONFLICT`. */
  create(input: CreateSession): Promise<Session>
  list(query: Partial<SessionQuery>): Promise<Page<Session>>
  /** Returns the row with its status and its usage. Never waits for a run. */
  get(sessionId: string): Promise<SessionView>
  /** Returns a page of messages: the newest page first, each in order. */
  messages(query: {
    sessionId: string
    limit?: number
    cursor?: string
    hidden?: boolean
  }): Promise<Page<ChatMessage>>
  rename(sessionId: string, title: string): Promise<Session>
  /** Archives the session; a turn that is running finishes first. */
  archive(sessionId: string): Promise<Session>
  unarchive(sessionId: string): Promise<Session>
  /**
   * Stops a run that is on or waits, then moves the session to the bin, with its sidecars and, with its branches, all its
   * descendants. It keeps all its rows for 30 days; until it is restored every call but `restore` and `purge` fails with
   * `SESSION_NOT_FOUND`.
   */
  delete(sessionId: string, options?: { withBranches?: boolean }): Promise<void>
  /** Brings a session back from the bin with what was deleted together with it. One that is not in the bin stays as it is. */
  restore(sessionId: string): Promise<Session>
  /** Removes a session that is in the bin, and what was deleted together with it, with all rows. `CONFLICT` when it is not there. */
  purge(sessionId: string): Promise<void>

  /**
   * Starts a run, or queues the message during a run or behind other queued messages; in the second case the queue
   * continues from its earliest message. The same id and content again returns the first result.
   */
  send(input: SendMessage): Promise<SendResult>
  /** Starts a new reply to a user message and hides what came after it. `SESSION_BUSY` during a run. */
  resend(input: { sessionId: string; messageId: string; model?: ModelRef }): Promise<{ runId: string }>
  /** Continues from the last committed step of a run that was stopped, failed or interrupted. */
  continue(sessionId: string): Promise<{ runId: string }>
  /**
   * Aborts the current run, or only the run with the given id. Resolves when the session has settled. The earliest queued
   * message fires next; with `pauseQueue` the queue waits for a user instead.
   */
  abort(sessionId: string, runId?: string, options?: { pauseQueue?: boolean }): Promise<{ aborted: boolean }>

  /** Streams the session's current run, or the named one, from its first chunk; see `LiveStreams.read`. */
  stream(input: { sessionId: string; runId?: string }, signal?: AbortSignal): AsyncIterable<ChatChunk[]>
  /** Streams the current state, then every change, of one session or of all; see `listen` for slow subscribers. */
  events(sessionId: string | null, signal?: AbortSignal): AsyncIterable<SessionFeedEvent>
  status(sessionId: string): Promise<SessionStatus>

  readonly permissions: {
    /** The open asks for a permission, of a session or of all, the oldest first. */
    pending(sessionId: string | null): Promise<PendingPermission[]>
    /** Decides; of two replies the first one counts, the other is `CONFLICT`. The last one that a run waits for resumes it. */
    reply(input: PermissionReply): Promise<void>
  }

  readonly questions: {
    /** The open questions, of a session or of all, the oldest first. */
    pending(sessionId: string | null): Promise<PendingQuestion[]>
    /** Answers each of the questions, as `permissions.reply` decides. */
    answer(questionId: string, answers: Answer[]): Promise<void>
  }

  readonly queue: {
    list(sessionId: string): Promise<ChatMessage[]>
    edit(input: QueueEdit): Promise<ChatMessage>
    cancel(sessionId: string, messageId: string): Promise<void>
    /** Messages that were cancelled, the last queued first. */
    cancelled(query: { sessionId: string; limit?: number; cursor?: string }): Promise<Page<ChatMessage>>
    /** Puts a cancelled message at the end of the queue, which continues when the session is idle. */
    restore(sessionId: string, messageId: string): Promise<SendResult>
    /** `messageIds` must be exactly the queued ones, else `CONFLICT`. */
    reorder(sessionId: string, messageIds: string[]): Promise<ChatMessage[]>
    /** Aborts the current run, then fires this message before the others. */
    promote(sessionId: string, messageId: string): Promise<{ runId: string }>
  }

  readonly history: HistoryService

  models(): Promise<{ models: ModelInfo[]; defaultModel: ModelRef }>
  search(query: {
    text: string
    limit?: number
    cursor?: string
    sessionId?: string
  }): Promise<Page<SearchHit>>
  /** Sums by model and UTC day in `[since, until)`, by default the last 30 days. */
  usageReport(range: { since?: number; until?: number }): Promise<UsageReport>
  /** What the session's window is made of, estimated by kind; the kinds add up to what is used. */
  content(sessionId: string): Promise<WindowContent>
  /** The exact system prompt of an assistant message. */
  systemPrompt(sessionId: string, messageId: string): Promise<{ digest: string; body: string }>
}

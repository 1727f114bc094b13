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
  /** While a run is on: enter it at its next step boundary instead of waiting for its end. */
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

export type UsageReport = { rows: UsageRow[]; counts: { sessions: number; messages: number } }

/**
 * Everything that a surface may do. Every method fails with an `AppError` and nothing else; ids that lead nowhere are
 * `SESSION_NOT_FOUND` or `MESSAGE_NOT_FOUND`, and input out of bounds is `INVALID_INPUT` with its field.
 */
export interface SessionService {
  /** The same id with the same content answers with the session that is there; with other content `CONFLICT`. */
  create(input: CreateSession): Promise<Session>
  list(query: Partial<SessionQuery>): Promise<Page<Session>>
  /** The row with its state and its bill. Never waits for a run. */
  get(sessionId: string): Promise<SessionView>
  /** The newest page first, in order inside. */
  messages(query: {
    sessionId: string
    limit?: number
    cursor?: string
    hidden?: boolean
  }): Promise<Page<ChatMessage>>
  rename(sessionId: string, title: string): Promise<Session>
  /** During a run, the turn finishes first. */
  archive(sessionId: string): Promise<Session>
  unarchive(sessionId: string): Promise<Session>
  /** Stops a run that is on, then takes the session and all its rows away. */
  delete(sessionId: string): Promise<void>

  /**
   * Starts a run, or queues the message while one is on or others wait: then it takes its place behind them, and the queue
   * continues from its earliest message. The same id and content again answers as the first time.
   */
  send(input: SendMessage): Promise<SendResult>
  /** A new reply to a user message; what came after it is hidden. `SESSION_BUSY` while a run is on. */
  resend(input: { sessionId: string; messageId: string; model?: ModelRef }): Promise<{ runId: string }>
  /** Continues from the last committed step of a run that was stopped, failed or interrupted. */
  continue(sessionId: string): Promise<{ runId: string }>
  /** Stops the run that is on; with a run id, only that one. Resolves when the session has settled. */
  abort(sessionId: string, runId?: string): Promise<{ aborted: boolean }>

  /** The run that the session has at the time of the call, or the one named, from its first chunk; see `LiveStreams.read`. */
  stream(input: { sessionId: string; runId?: string }, signal?: AbortSignal): AsyncIterable<ChatChunk[]>
  /** The current state first, then every change; see `listen` for one who lags. Without a session: of all sessions. */
  events(sessionId: string | null, signal?: AbortSignal): AsyncIterable<SessionFeedEvent>
  status(sessionId: string): Promise<SessionStatus>

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
    /** Stops the run that is on, then sends this one before the others. */
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

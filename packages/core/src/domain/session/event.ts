import type { ErrorCode } from '../errors.ts'
import type { HistoryOperation } from '../history/history-operation.ts'
import type { ChatMessage } from '../message/message.ts'
import type { BudgetUse } from '../model/budget.ts'
import type { AskReply, PendingPermission, PendingQuestion } from '../permission/ask.ts'
import type { ContextWindow } from '../window/context-window.ts'
import type { Session, SessionUsage } from './session.ts'
import type { SessionStatus } from './status.ts'

/** An event of a session. Those from `session-created` on keep lists up to date. */
export type SessionEvent =
  | { type: 'status'; sessionId: string; status: SessionStatus }
  | { type: 'message-added'; sessionId: string; message: ChatMessage }
  /** The finished state of a message whose run has ended. */
  | { type: 'message-settled'; sessionId: string; message: ChatMessage }
  /** A finished message has changed, but not its text. */
  | { type: 'message-changed'; sessionId: string; message: ChatMessage }
  | { type: 'message-hidden'; sessionId: string; messageIds: string[]; hiddenBy: string }
  /** Hidden messages that are visible again, in order. Their text has not changed: a client without them reads their page. */
  | { type: 'message-shown'; sessionId: string; messageIds: string[] }
  /** A history operation was applied; `message-hidden` and `message-shown` name its messages. */
  | { type: 'history'; sessionId: string; operation: HistoryOperation }
  | { type: 'compaction-started'; sessionId: string; auto: boolean }
  | { type: 'compaction-completed'; sessionId: string; beforeTokens: number; afterTokens: number }
  | { type: 'compaction-failed'; sessionId: string; code: ErrorCode; message: string }
  /** A branch of this session was made. */
  | { type: 'branch'; sessionId: string; branch: Session }
  | { type: 'usage'; sessionId: string; usage: SessionUsage; contextWindow: ContextWindow }
  | { type: 'queue'; sessionId: string; queue: ChatMessage[] }
  | { type: 'permission-asked'; sessionId: string; permission: PendingPermission }
  | { type: 'permission-resolved'; sessionId: string; permissionId: string; reply: AskReply['type'] }
  | { type: 'question-asked'; sessionId: string; question: PendingQuestion }
  | { type: 'question-resolved'; sessionId: string; questionId: string; reply: AskReply['type'] }
  /** A limit of the session or of its run is nearly reached. */
  | { type: 'budget-near'; sessionId: string; use: BudgetUse }
  /** A person has changed the limits of the session. */
  | { type: 'budget-changed'; sessionId: string }
  | { type: 'title'; sessionId: string; title: string }
  | { type: 'session-created'; sessionId: string; session: Session }
  | { type: 'session-changed'; sessionId: string; session: Session }
  /** It was moved to the bin. */
  | { type: 'session-deleted'; sessionId: string; session: Session }
  /** It came back from the bin. */
  | { type: 'session-restored'; sessionId: string; session: Session }
  /** It was in the bin, and its rows are removed. */
  | { type: 'session-purged'; sessionId: string }

/**
 * What a subscription to session events yields. `reset`: the subscriber was too slow and events for it were dropped. The
 * current state follows, as at the start; what else it keeps of the session (of any session where `sessionId` is null) is to
 * be fetched again.
 */
export type SessionFeedEvent = SessionEvent | { type: 'reset'; sessionId: string | null }

import type { ContextWindow } from './context-window.ts'
import type { ChatMessage } from './message.ts'
import type { Session, SessionUsage } from './session.ts'
import type { SessionStatus } from './status.ts'

/** What a subscriber of session events learns. `session-created`, `-changed` and `-deleted` keep lists live. */
export type SessionEvent =
  | { type: 'status'; sessionId: string; status: SessionStatus }
  | { type: 'message-added'; sessionId: string; message: ChatMessage }
  /** The finished state of a message whose run has ended. */
  | { type: 'message-settled'; sessionId: string; message: ChatMessage }
  | { type: 'message-hidden'; sessionId: string; messageIds: string[]; hiddenBy: string }
  | { type: 'usage'; sessionId: string; usage: SessionUsage; contextWindow: ContextWindow }
  | { type: 'queue'; sessionId: string; queue: ChatMessage[] }
  | { type: 'title'; sessionId: string; title: string }
  | { type: 'session-created'; sessionId: string; session: Session }
  | { type: 'session-changed'; sessionId: string; session: Session }
  | { type: 'session-deleted'; sessionId: string }

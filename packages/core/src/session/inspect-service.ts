import type { InspectedMessage, InspectedRow, InspectedTools } from '../domain/session/inspection.ts'
import type { Page } from '../ports/page.ts'

export type InspectQuery = { sessionId: string; limit?: number; cursor?: string }

/** What is stored of a session, hidden messages too, in pages of at most 20 messages, the newest page first. */
export type InspectService = {
  /** Its messages with the steps of replies: figures, calls, and how each call was decided. */
  messages(query: InspectQuery): Promise<Page<InspectedMessage>>
  /** The tool catalogue of a reply's system prompt. `MESSAGE_NOT_FOUND` for a message without a system prompt. */
  tools(sessionId: string, messageId: string): Promise<InspectedTools>
  /** The rows of its messages and parts, with their JSON cut where it is long. */
  rows(query: InspectQuery): Promise<Page<InspectedRow>>
}

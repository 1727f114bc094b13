import type { ChatMessage } from '@palimpsest/core/domain'

/** The queries by which a test reads a host. */
export type Host = {
  state(sessionId: string): Promise<string>
  /** Newest page first, hidden messages too. */
  page(sessionId: string, cursor: string | null): Promise<{ items: ChatMessage[]; nextCursor: string | null }>
  queue(sessionId: string): Promise<ChatMessage[]>
}

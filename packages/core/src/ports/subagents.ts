import type { StoredMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import type { NewMessage } from './new-rows.ts'

/** Results of subagents in the background, each of which lands once in the history of its parent. */
export interface SubagentStore {
  /** The sessions of subagents whose result has not landed: of one parent, or of all, the oldest first. */
  undelivered(parentId: string | null): Promise<Session[]>
  /** The ids of the sessions of the subagents that a reply has started. */
  startedBy(parentId: string, messageId: string): Promise<string[]>
  /**
   * Adds the message to the history of the subagent's parent and notes that it has landed, in one transaction. Null when it has
   * landed before. `SESSION_BUSY` while the parent is claimed, `SESSION_NOT_FOUND` without one.
   */
  deliver(
    sessionId: string,
    message: Omit<NewMessage, 'sessionId'>,
    at: number,
  ): Promise<{ parent: Session; message: StoredMessage } | null>
}

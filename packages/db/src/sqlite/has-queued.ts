import type { ReadQueries } from '../connect/statements.ts'

/** Whether anything waits in the session's queue: after each run that is asked, and mostly nothing does. */
export async function hasQueued(queries: ReadQueries, sessionId: string): Promise<boolean> {
  const [waiting] = await queries.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM chat_messages WHERE session_id = ? AND queued_at IS NOT NULL AND hidden_at IS NULL LIMIT 1`,
    sessionId,
  )
  return waiting !== undefined
}

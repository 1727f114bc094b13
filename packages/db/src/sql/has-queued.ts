import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** Whether anything waits in the session's queue: after each run that is asked, and mostly nothing does. */
export async function hasQueued(queries: ReadQueries, sessionId: string): Promise<boolean> {
  const [waiting] = await queries.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM chat_messages WHERE session_id = ? AND queued_at IS NOT NULL AND hidden_at IS NULL LIMIT 1`,
    sessionId,
  )
  return waiting !== undefined
}

/** The `queued_at` behind all that were ever queued in the session and have no place in the conversation. */
export async function nextPlace(queries: RawQueries, sessionId: string, at: number): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ last: number | bigint | null }[]>(
    'SELECT max(queued_at) AS last FROM chat_messages WHERE session_id = ? AND queued_at IS NOT NULL',
    sessionId,
  )
  return Math.max(at, Number(row?.last ?? 0) + 1)
}

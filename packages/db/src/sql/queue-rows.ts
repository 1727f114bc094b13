import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** Keys of `store_meta` that begin so name a session whose queue the next host is to continue. */
const PREFIX = 'queue:'
const BEHIND_PREFIX = 'queue;'

/** Whether the session has queued messages. Read after each run, and mostly false. */
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

export async function markQueue(queries: RawQueries, sessionId: string): Promise<void> {
  await queries.$executeRawUnsafe(
    "INSERT INTO store_meta (key, value) VALUES (?, '') ON CONFLICT (key) DO NOTHING",
    PREFIX + sessionId,
  )
}

/** The ids of these sessions, which are no longer marked then. */
export async function takeMarkedQueues(queries: RawQueries): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ key: string }[]>(
    'DELETE FROM store_meta WHERE key >= ? AND key < ? RETURNING key',
    PREFIX,
    BEHIND_PREFIX,
  )
  return rows.map(({ key }) => key.slice(PREFIX.length))
}

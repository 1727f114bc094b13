import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** Prefix of the keys in `store_meta` that name sessions whose queue the next host continues. */
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

/** A `queued_at` after all queued and cancelled messages of the session. */
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

/** Returns the ids of the marked sessions and removes their marks. */
export async function takeMarkedQueues(queries: RawQueries): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ key: string }[]>(
    'DELETE FROM store_meta WHERE key >= ? AND key < ? RETURNING key',
    PREFIX,
    BEHIND_PREFIX,
  )
  return rows.map(({ key }) => key.slice(PREFIX.length))
}

import type { RawQueries } from '../connect/statements.ts'

/** Keys of `store_meta` that begin so name a session whose queue the next host is to continue. */
const PREFIX = 'queue:'
const BEHIND_PREFIX = 'queue;'

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

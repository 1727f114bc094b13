import type { SystemPromptWrite } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

/** The text of the row `t` of a system prompt, with those of the rows that it shares with others. */
export const PROMPT_TEXT = `coalesce((SELECT s.body FROM system_prompts s WHERE s.digest = t.start_digest), '') || t.body ||
coalesce((SELECT e.body FROM system_prompts e WHERE e.digest = t.end_digest), '')`

export async function readPrompt(queries: ReadQueries, digest: string): Promise<string | null> {
  const sql = `SELECT ${PROMPT_TEXT} AS body FROM system_prompts t WHERE t.digest = ?`
  return (await queries.$queryRawUnsafe<{ body: string }[]>(sql, digest))[0]?.body ?? null
}

type PromptRow = [digest: string, body: string, startDigest: string | null, endDigest: string | null]

/** Writes a prompt and what it shares with others, in one statement; what is there stays. */
export async function writePrompt(
  queries: RawQueries,
  { digest, body, start, end }: SystemPromptWrite,
): Promise<void> {
  const from = start?.characters ?? 0
  const until = body.length - (end?.characters ?? 0)
  const rows: PromptRow[] = [[digest, body.slice(from, until), start?.digest ?? null, end?.digest ?? null]]
  if (start) rows.push([start.digest, body.slice(0, from), null, null])
  if (end) rows.push([end.digest, body.slice(until), null, null])
  await queries.$executeRawUnsafe(
    `INSERT INTO system_prompts (digest, body, start_digest, end_digest)
     VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')} ON CONFLICT (digest) DO NOTHING`,
    ...rows.flat(),
  )
}

/** The digests of the prompts that messages of these sessions name. */
export async function promptsOfSessions(
  queries: ReadQueries,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await queries.$queryRawUnsafe<{ digest: string }[]>(
    `SELECT DISTINCT system_prompt_digest AS digest FROM chat_messages
     WHERE session_id IN (SELECT value FROM ${queries.dialect.texts} ids) AND system_prompt_digest IS NOT NULL`,
    JSON.stringify(sessionIds),
  )
  return rows.map(({ digest }) => digest)
}

/** Deletes those of these prompts that nothing names any more, then the texts that they alone have shared. */
export async function deleteUnnamedPrompts(queries: RawQueries, digests: readonly string[]): Promise<void> {
  if (digests.length === 0) return
  const rows = await queries.$queryRawUnsafe<{ startDigest: string | null; endDigest: string | null }[]>(
    `DELETE FROM system_prompts AS p WHERE p.digest IN (SELECT value FROM ${queries.dialect.texts} d)
     AND NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.system_prompt_digest = p.digest)
     AND NOT EXISTS (SELECT 1 FROM system_prompts o WHERE o.start_digest = p.digest)
     AND NOT EXISTS (SELECT 1 FROM system_prompts o WHERE o.end_digest = p.digest)
     RETURNING start_digest AS "startDigest", end_digest AS "endDigest"`,
    JSON.stringify(digests),
  )
  const shared = rows.flatMap(({ startDigest, endDigest }) => [startDigest, endDigest])
  await deleteUnnamedPrompts(
    queries,
    shared.filter((digest) => digest !== null),
  )
}

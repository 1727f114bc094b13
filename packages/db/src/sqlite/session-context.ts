import type { RawQueries } from '../connect/statements.ts'

/** Notes whether what the session's window holds is an estimate, in its metadata. */
async function setEstimated(queries: RawQueries, sessionId: string, estimated: boolean): Promise<void> {
  const next = estimated
    ? `json_set(metadata_json, '$.context_estimated', json('true'))`
    : `json_remove(metadata_json, '$.context_estimated')`
  await queries.$executeRawUnsafe(
    `UPDATE chat_sessions SET metadata_json = ${next}
     WHERE id = ? AND json_valid(metadata_json)
       AND (metadata_json ->> '$.context_estimated') IS ${estimated ? 'NOT 1' : 'NOT NULL'}`,
    sessionId,
  )
}

/** Sets what the session's window holds, and whether that is an estimate. */
export async function setContext(
  queries: RawQueries,
  sessionId: string,
  { contextTokens, contextEstimated }: { contextTokens: number; contextEstimated: boolean },
): Promise<void> {
  await setEstimated(queries, sessionId, contextEstimated)
  await queries.$executeRawUnsafe(
    'UPDATE chat_sessions SET context_tokens = ? WHERE id = ?',
    contextTokens,
    sessionId,
  )
}

import { parseStored, SESSION_METADATA_KEYS, type SessionMetadata } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { toCount } from '../rows/numbers.ts'
import { sessionMetadataColumns } from '../rows/session-row.ts'

/** Sets what the session's window holds, and whether that is an estimate. */
export async function setContext(
  queries: RawQueries,
  sessionId: string,
  { contextTokens, contextEstimated }: { contextTokens: number; contextEstimated: boolean },
): Promise<void> {
  const [before] = await queries.$queryRawUnsafe<{ estimated: number; metadataJson: string }[]>(
    `UPDATE chat_sessions SET context_tokens = ? WHERE id = ?
     RETURNING context_estimated AS estimated, metadata_json AS "metadataJson"`,
    toCount(contextTokens),
    sessionId,
  )
  if (before === undefined || (before.estimated === 1) === contextEstimated) return
  const stored = parseStored(before.metadataJson, SESSION_METADATA_KEYS)
  // Metadata that cannot be read stays as it is.
  if (stored === null) return
  const { contextEstimated: _, ...metadata } = stored
  const columns = sessionMetadataColumns({
    // The rest is what `sessionMetadataColumns` wrote.
    ...(metadata as SessionMetadata),
    ...(contextEstimated && { contextEstimated: true }),
  })
  await queries.$executeRawUnsafe(
    'UPDATE chat_sessions SET metadata_json = ?, context_estimated = ? WHERE id = ?',
    columns.metadata_json,
    columns.context_estimated,
    sessionId,
  )
}

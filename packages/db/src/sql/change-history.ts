import type { SeqRange } from '@palimpsest/core/domain'
import type { Dialect } from '../connect/dialect.ts'
import type { RawQueries } from '../connect/statements.ts'

type Mark = { sessionId: string; ranges: readonly SeqRange[]; at: number }

/** SQL for a session's messages within ranges. The ranges are read first: there may be many of either. */
function inRanges({ rows, join }: Dialect): string {
  return `id IN (SELECT m.id FROM ${rows} r ${join} chat_messages m ON m.session_id = ?
    AND m.seq BETWEEN CAST(r.value ->> 0 AS INTEGER) AND CAST(r.value ->> 1 AS INTEGER))`
}

/** Hides what is visible of these places. */
export async function hideMessages(
  queries: RawQueries,
  { sessionId, ranges, at, by }: Mark & { by: string },
): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE chat_messages SET hidden_at = ?, hidden_by = ?, updated_at = ? WHERE ${inRanges(queries.dialect)} AND hidden_at IS NULL`,
    at,
    by,
    at,
    JSON.stringify(ranges),
    sessionId,
  )
}

/** Shows what is hidden of these places. */
export async function showMessages(queries: RawQueries, { sessionId, ranges, at }: Mark): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE chat_messages SET hidden_at = NULL, hidden_by = NULL, updated_at = ?
     WHERE ${inRanges(queries.dialect)} AND hidden_at IS NOT NULL`,
    at,
    JSON.stringify(ranges),
    sessionId,
  )
}

/** Marks the outputs of these parts as pruned, or with null as no longer so. */
export async function markPruned(
  queries: RawQueries,
  {
    sessionId,
    partIds,
    prunedAt,
  }: { sessionId: string; partIds: readonly string[]; prunedAt: number | null },
): Promise<void> {
  await queries.$executeRawUnsafe(
    `UPDATE chat_parts SET pruned_at = ? WHERE id IN (SELECT value FROM ${queries.dialect.texts} ids) AND session_id = ?
     AND pruned_at IS ${prunedAt === null ? 'NOT NULL' : 'NULL'}`,
    prunedAt,
    JSON.stringify(partIds),
    sessionId,
  )
}

import { type ChatChunk, joinTail, type LogTail, NO_REPLY, type StoredMessage } from '@palimpsest/core/domain'
import type { LogRecord, RecordWrite, RunLease } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { checkClaim, requireClaim } from './claim-session.ts'

const LAST_NO = 'coalesce((SELECT max(no) FROM run_chunks WHERE run_id = ?), 0)'
const CLAIM = 'session_id = ? AND run_id = ? AND epoch = ?'

const APPEND = `INSERT INTO run_chunks (run_id, no, epoch, chunks)
SELECT run_id, ${LAST_NO} + 1, epoch, ? FROM run_leases WHERE ${CLAIM}`

const FOLD = `UPDATE run_leases SET message_id = ?, folded_no = ${LAST_NO}, open_json = ? WHERE ${CLAIM}`

/**
 * Appends to the log of a run, and notes how far it is folded into the parts of its reply. `SESSION_NOT_RUNNING` when the
 * run no longer holds its session in this epoch.
 */
export async function appendLog(
  queries: RawQueries,
  { sessionId, messageId }: Pick<RecordWrite, 'sessionId' | 'messageId'>,
  { runId, epoch, chunks, open }: LogRecord,
): Promise<void> {
  const claim = [sessionId, runId, epoch]
  if (chunks.length === 0 && open === null) await checkClaim(queries, { sessionId, runId, epoch })
  if (chunks.length > 0)
    requireClaim(await queries.$executeRawUnsafe(APPEND, runId, JSON.stringify(chunks), ...claim))
  if (open !== null)
    requireClaim(await queries.$executeRawUnsafe(FOLD, messageId, runId, JSON.stringify(open), ...claim))
}

/** Appends the terminal record of a run without a reply. `SESSION_NOT_RUNNING` as `appendLog`. */
export async function endLog(queries: RawQueries, { sessionId, runId, epoch }: RunLease): Promise<void> {
  const claim = [sessionId, runId, epoch]
  requireClaim(await queries.$executeRawUnsafe(APPEND, runId, JSON.stringify([NO_REPLY]), ...claim))
}

type LogRow = { no: number; epoch: number; chunks: string }

/** The log of a run, in order. */
export async function readLog(queries: ReadQueries, runId: string) {
  const sql = 'SELECT no, epoch, chunks FROM run_chunks WHERE run_id = ? ORDER BY no'
  const rows = await queries.$queryRawUnsafe<LogRow[]>(sql, runId)
  return rows.map((row) => ({ ...row, chunks: toChunks(row.chunks) }))
}

/** Deletes the log of a run that is over. */
export async function dropLog(queries: RawQueries, runId: string): Promise<void> {
  await queries.$executeRawUnsafe(
    'DELETE FROM run_chunks WHERE run_id = ? AND NOT EXISTS (SELECT 1 FROM run_leases WHERE run_id = ?)',
    runId,
    runId,
  )
}

/** Deletes the logs of all runs that are over. */
export async function dropUnclaimedLogs(queries: RawQueries): Promise<void> {
  await queries.$executeRawUnsafe(
    'DELETE FROM run_chunks WHERE run_id NOT IN (SELECT run_id FROM run_leases)',
  )
}

type Claim = { runId: string; messageId: string | null; foldedNo: number; openJson: string | null }

/** The messages, each that is being written with what its run's log holds beyond its parts. */
export async function withTails(queries: ReadQueries, messages: StoredMessage[]): Promise<StoredMessage[]> {
  if (messages.length === 0) return messages
  const sessionIds = new Set(messages.map(({ sessionId }) => sessionId))
  const claims = await queries.$queryRawUnsafe<Claim[]>(
    `SELECT run_id AS "runId", message_id AS "messageId", folded_no AS "foldedNo", open_json AS "openJson"
     FROM run_leases WHERE session_id IN (SELECT value FROM ${queries.dialect.texts} ids)`,
    JSON.stringify([...sessionIds]),
  )
  let joined = messages
  for (const claim of claims) {
    const place = messages.findIndex(({ id }) => id === claim.messageId)
    const message = messages[place]
    if (message !== undefined) joined = joined.with(place, joinTail(message, await tailOf(queries, claim)))
  }
  return joined
}

/** The id of the message that the session's run is writing; null when there is none. */
export async function writtenMessageId(queries: ReadQueries, sessionId: string): Promise<string | null> {
  const [claim] = await queries.$queryRawUnsafe<{ messageId: string | null }[]>(
    'SELECT message_id AS "messageId" FROM run_leases WHERE session_id = ?',
    sessionId,
  )
  return claim?.messageId ?? null
}

async function tailOf(queries: ReadQueries, { runId, foldedNo, openJson }: Claim): Promise<LogTail> {
  const rows = await queries.$queryRawUnsafe<{ chunks: string }[]>(
    'SELECT chunks FROM run_chunks WHERE run_id = ? AND no > ? ORDER BY no',
    runId,
    foldedNo,
  )
  return {
    open: { ...NOTHING_OPEN, ...parse<LogTail['open']>(openJson ?? '', NOTHING_OPEN) },
    chunks: rows.flatMap(({ chunks }) => toChunks(chunks)),
  }
}

const NOTHING_OPEN: LogTail['open'] = { text: {}, reasoning: {} }

/** The chunks of a row as they were appended; none of a row that was damaged since. */
function toChunks(json: string): ChatChunk[] {
  const chunks = parse<ChatChunk[]>(json, [])
  return Array.isArray(chunks) ? chunks : []
}

/** Only the product writes these columns, so that what parses is what was written. */
function parse<T>(json: string, otherwise: T): T {
  try {
    return JSON.parse(json)
  } catch {
    return otherwise
  }
}

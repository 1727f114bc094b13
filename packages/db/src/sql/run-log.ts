import { type ChatChunk, joinTail, type LogTail, NO_REPLY, type StoredMessage } from '@palimpsest/core/domain'
import type { LogRecord, RecordWrite, RunLease } from '@palimpsest/core/ports'
import type { LogPlace } from '../connect/log-places.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { checkClaim, requireClaim } from './claim-session.ts'

const CLAIM = 'session_id = ? AND run_id = ? AND epoch = ?'

const APPEND = `INSERT INTO run_chunks (id, run_id, no, epoch, chunks)
SELECT ?, run_id, ?, epoch, ? FROM run_leases WHERE ${CLAIM}`

const FOLD = `UPDATE run_leases SET message_id = ?, folded_id = ?, open_json = ? WHERE ${CLAIM}`

type Held = Pick<RunLease, 'sessionId' | 'runId' | 'epoch'>

/**
 * Appends to the log of a run, and notes how far it is folded into the parts of its reply. `SESSION_NOT_RUNNING` when the
 * run no longer holds its session in this epoch.
 */
export async function appendLog(
  queries: RawQueries,
  { sessionId, messageId }: Pick<RecordWrite, 'sessionId' | 'messageId'>,
  { runId, epoch, chunks, open }: LogRecord,
): Promise<void> {
  const held = { sessionId, runId, epoch }
  if (chunks.length === 0 && open === null) await checkClaim(queries, held)
  if (chunks.length > 0) await append(queries, held, chunks)
  if (open === null) return
  const { last } = await placeOf(queries, runId)
  const claim = [sessionId, runId, epoch]
  requireClaim(await queries.$executeRawUnsafe(FOLD, messageId, last, JSON.stringify(open), ...claim))
}

/** Appends the terminal record of a run without a reply. `SESSION_NOT_RUNNING` as `appendLog`. */
export async function endLog(queries: RawQueries, lease: RunLease): Promise<void> {
  await append(queries, lease, [NO_REPLY])
}

async function append(
  queries: RawQueries,
  { sessionId, runId, epoch }: Held,
  chunks: readonly ChatChunk[],
): Promise<void> {
  const { logs } = queries
  const { no, first } = await placeOf(queries, runId)
  const id = logs.nextId ?? (await nextId(queries))
  logs.nextId = id + 1
  const json = JSON.stringify(chunks)
  requireClaim(await queries.$executeRawUnsafe(APPEND, id, no + 1, json, sessionId, runId, epoch))
  logs.set(runId, { no: no + 1, first: no === 0 ? id : first, last: id })
}

/** Largest number that this code gives a row: what a row holds beyond it is broken, and counts for no other row. */
const MAX_NUMBER = 2 ** 52

const EMPTY: LogPlace = { no: 0, first: 0, last: 0 }

const ANYWHERE: LogPlace = { no: 1, first: 0, last: Number.MAX_SAFE_INTEGER }

/** Notes that a run has no rows yet, so that its first write need not look for them. */
export function openLog({ logs }: RawQueries, runId: string): void {
  if (logs.get(runId) === undefined) logs.set(runId, EMPTY)
}

/** Where the rows of a run are. Those of a run that an earlier process began are looked for. */
async function placeOf(queries: RawQueries, runId: string): Promise<LogPlace> {
  const known = queries.logs.get(runId)
  if (known !== undefined) return known
  const [row] = await queries.$queryRawUnsafe<LogPlace[]>(
    `SELECT coalesce(max(no), 0) AS no, coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last
     FROM run_chunks WHERE run_id = ? AND id BETWEEN 1 AND ? AND no BETWEEN 1 AND ?`,
    runId,
    MAX_NUMBER,
    MAX_NUMBER,
  )
  const place = row ?? EMPTY
  queries.logs.set(runId, place)
  return place
}

/** Above the rows and above those that a claim names: a row that was deleted has an id that is not used again. */
async function nextId(queries: RawQueries): Promise<number> {
  const [row] = await queries.$queryRawUnsafe<{ id: number }[]>(
    `SELECT max(coalesce((SELECT max(id) FROM run_chunks WHERE id BETWEEN 1 AND ?), 0),
       coalesce((SELECT max(folded_id) FROM run_leases WHERE folded_id BETWEEN 1 AND ?), 0)) AS id`,
    MAX_NUMBER,
    MAX_NUMBER,
  )
  return (row?.id ?? 0) + 1
}

type LogRow = { no: number; epoch: number; chunks: string }

/** The log of a run, in order. */
export async function readLog(queries: ReadQueries, runId: string) {
  const sql = 'SELECT no, epoch, chunks FROM run_chunks WHERE id BETWEEN ? AND ? AND run_id = ? ORDER BY id'
  const rows = await queries.$queryRawUnsafe<LogRow[]>(sql, ...idsOf(queries, [runId]), runId)
  return rows.map((row) => ({ ...row, chunks: toChunks(row.chunks) }))
}

/** Deletes the logs of those of these runs that are over. */
export async function dropLogs(queries: RawQueries, runIds: string[]): Promise<void> {
  await queries.$executeRawUnsafe(
    `DELETE FROM run_chunks WHERE id BETWEEN ? AND ? AND run_id IN (SELECT value FROM ${queries.dialect.texts} ids)
     AND run_id NOT IN (SELECT run_id FROM run_leases)`,
    ...idsOf(queries, runIds),
    JSON.stringify(runIds),
  )
  for (const runId of runIds) queries.logs.forget(runId)
}

/** Deletes the logs of all runs that are over. */
export async function dropUnclaimedLogs(queries: RawQueries): Promise<void> {
  await queries.$executeRawUnsafe(
    'DELETE FROM run_chunks WHERE run_id NOT IN (SELECT run_id FROM run_leases)',
  )
}

/** The ids between which all rows of these runs are. */
function idsOf({ logs }: ReadQueries, runIds: string[]): number[] {
  const places = runIds.map((runId) => logs.get(runId) ?? ANYWHERE).filter(({ no }) => no > 0)
  if (places.length === 0) return [0, 0]
  return [Math.min(...places.map(({ first }) => first)), Math.max(...places.map(({ last }) => last))]
}

type Claim = { runId: string; messageId: string | null; foldedId: number; openJson: string | null }

/** The messages, each that is being written with what its run's log holds beyond its parts. */
export async function withTails(queries: ReadQueries, messages: StoredMessage[]): Promise<StoredMessage[]> {
  if (messages.length === 0) return messages
  const sessionIds = new Set(messages.map(({ sessionId }) => sessionId))
  const claims = await queries.$queryRawUnsafe<Claim[]>(
    `SELECT run_id AS "runId", message_id AS "messageId", folded_id AS "foldedId", open_json AS "openJson"
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

async function tailOf(queries: ReadQueries, { runId, foldedId, openJson }: Claim): Promise<LogTail> {
  // The rows of other runs are between its own: a run that appends nothing for long must not read all of theirs.
  const last = queries.logs.get(runId)?.last ?? Number.MAX_SAFE_INTEGER
  const rows =
    last <= foldedId
      ? []
      : await queries.$queryRawUnsafe<{ chunks: string }[]>(
          'SELECT chunks FROM run_chunks WHERE id > ? AND id <= ? AND run_id = ? ORDER BY id',
          foldedId,
          last,
          runId,
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

import { AppError, type ExportRowType } from '@palimpsest/core/domain'
import type { ExportLine } from '@palimpsest/core/ports'
import type { Dialect } from '../connect/dialect.ts'
import type { Snapshot } from '../connect/snapshot.ts'
import { columnNames } from './columns.ts'
import { PROMPT_TEXT } from './prompt-rows.ts'
import type { WrittenReply } from './written-reply.ts'

type Row = ExportLine['data']
type Source = [type: ExportRowType, from: string, then?: Row[]]

/** Messages that wait, or were cancelled before they had a place, come after the others. */
const PLACED = 'm.session_id = ? AND m.seq IS NOT NULL ORDER BY m.seq'
const UNPLACED = 'm.session_id = ? AND m.seq IS NULL ORDER BY m.queued_at'

/** The rows of each kind, as they follow one another, each with rows that come after them; every query takes the session's id. */
function sourcesOf({ join }: Dialect, written: WrittenReply | null): Source[] {
  const parts = `chat_messages m ${join} chat_parts t ON t.message_id = m.id WHERE`
  const placed: Source[] =
    written === null
      ? [['part', `${parts} ${PLACED}, t."index"`]]
      : [
          ['part', `${parts} m.seq <= ${written.seq} AND ${PLACED}, t."index"`, written.added],
          ['part', `${parts} m.seq > ${written.seq} AND ${PLACED}, t."index"`],
        ]
  return [
    ['message', `chat_messages m WHERE ${PLACED}`],
    ['message', `chat_messages m WHERE ${UNPLACED}`],
    ...placed,
    ['part', `${parts} ${UNPLACED}, t."index"`],
    ['history_op', 'history_ops t WHERE t.session_id = ? ORDER BY t.ordinal'],
    [
      'system_prompt',
      `(SELECT DISTINCT system_prompt_digest FROM chat_messages WHERE session_id = ?) used
     ${join} system_prompts t ON t.digest = used.system_prompt_digest ORDER BY t.digest`,
    ],
  ]
}

/**
 * The rows of a session as they are stored, one by one; those of a reply that is being written with what its run's log
 * adds. `SESSION_NOT_FOUND`, also of one in the bin unless `binned` asks for it.
 */
export function* exportLines(
  snapshot: Snapshot,
  sessionId: string,
  written: WrittenReply | null,
  binned = false,
): Generator<ExportLine> {
  const deletedAt = deletionOf(snapshot, sessionId)
  const [session] = snapshot.rows<Row>(select('session', 'chat_sessions t WHERE t.id = ?'), sessionId)
  if (session === undefined || !(binned || deletedAt === null))
    throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  const sources = sourcesOf(snapshot.dialect, written)
  const deleted = deletedAt === null ? {} : { deleted_at: deletedAt }
  yield { type: 'session', data: session, rows: countOf(snapshot, sessionId, sources), ...deleted }
  for (const [type, from, then = []] of sources) {
    for (const row of snapshot.rows<Row>(select(type, from), sessionId))
      yield { type, data: written === null ? row : { ...row, ...changesOf(type, row, written) } }
    for (const data of then) yield { type, data }
  }
}

/** When the session was moved to the bin; null outside of it. `SESSION_NOT_FOUND`. */
export function deletionOf(snapshot: Snapshot, sessionId: string): number | null {
  const sql = 'SELECT deleted_at AS "deletedAt" FROM chat_sessions WHERE id = ?'
  const [session] = snapshot.rows<{ deletedAt: number | null }>(sql, sessionId)
  if (session === undefined) throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  return session.deletedAt
}

function changesOf(type: ExportRowType, { id }: Row, { id: messageId, metadata, grown }: WrittenReply) {
  if (type === 'message') return id === messageId ? metadata : {}
  return type === 'part' ? grown.get(String(id)) : {}
}

/** How many lines there are: the session, and those of every other kind. */
function countOf(snapshot: Snapshot, sessionId: string, sources: Source[]): number {
  const counts = sources.map(([, from, then = []]) => {
    const [row] = snapshot.rows<{ lines: number }>(`SELECT count(*) AS lines FROM ${from}`, sessionId)
    return (row?.lines ?? 0) + then.length
  })
  return counts.reduce((sum, lines) => sum + lines, 1)
}

function select(type: ExportRowType, from: string): string {
  if (type === 'system_prompt') return `SELECT t.digest, ${PROMPT_TEXT} AS body FROM ${from}`
  const alias = type === 'message' ? 'm' : 't'
  return `SELECT ${columnNames(type)
    .map((name) => `${alias}.${name}`)
    .join(', ')} FROM ${from}`
}

import { AppError, type ExportRowType } from '@palimpsest/core/domain'
import type { ExportLine } from '@palimpsest/core/ports'
import type { Dialect } from '../connect/dialect.ts'
import type { Snapshot } from '../connect/snapshot.ts'
import { columnNames } from './columns.ts'

/** Messages that wait, or were cancelled before they had a place, come after the others. */
const PLACED = 'm.session_id = ? AND m.seq IS NOT NULL ORDER BY m.seq'
const UNPLACED = 'm.session_id = ? AND m.seq IS NULL ORDER BY m.queued_at'

/** The rows of each kind, as they follow one another; every query takes the session's id. */
const sources = ({ join }: Dialect): [type: ExportRowType, from: string][] => [
  ['message', `chat_messages m WHERE ${PLACED}`],
  ['message', `chat_messages m WHERE ${UNPLACED}`],
  ['part', `chat_messages m ${join} chat_parts t ON t.message_id = m.id WHERE ${PLACED}, t."index"`],
  ['part', `chat_messages m ${join} chat_parts t ON t.message_id = m.id WHERE ${UNPLACED}, t."index"`],
  ['history_op', 'history_ops t WHERE t.session_id = ? ORDER BY t.ordinal'],
  [
    'system_prompt',
    `(SELECT DISTINCT system_prompt_digest FROM chat_messages WHERE session_id = ?) used
     ${join} system_prompts t ON t.digest = used.system_prompt_digest ORDER BY t.digest`,
  ],
]

/** The rows of a session as they are stored, one by one. `SESSION_NOT_FOUND`. */
export function* exportLines(snapshot: Snapshot, sessionId: string): Generator<ExportLine> {
  const [session] = snapshot.rows<ExportLine['data']>(
    select('session', 'chat_sessions t WHERE t.id = ?'),
    sessionId,
  )
  if (session === undefined) throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  yield { type: 'session', data: session, rows: countOf(snapshot, sessionId) }
  for (const [type, from] of sources(snapshot.dialect)) {
    for (const data of snapshot.rows<ExportLine['data']>(select(type, from), sessionId)) yield { type, data }
  }
}

/** How many lines there are: the session, and those of every other kind. */
function countOf(snapshot: Snapshot, sessionId: string): number {
  const counts = sources(snapshot.dialect).flatMap(([, from]) => [
    ...snapshot.rows<{ lines: number }>(`SELECT count(*) AS lines FROM ${from}`, sessionId),
  ])
  return counts.reduce((sum, { lines }) => sum + lines, 1)
}

function select(type: ExportRowType, from: string): string {
  const alias = type === 'message' ? 'm' : 't'
  return `SELECT ${columnNames(type)
    .map((name) => `${alias}.${name}`)
    .join(', ')} FROM ${from}`
}

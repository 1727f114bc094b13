import {
  CHANGE_AUTHORS,
  CHANGE_STATUSES,
  FILE_MODES,
  type FileChangeRow,
  type FileState,
  type NewFileChange,
  NOT_KEPT_REASONS,
} from '@palimpsest/core/domain'
import type { FileChangeUpdate } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

const COLUMNS = [
  'session_id',
  'author',
  'message_id',
  'run_id',
  'tool_call_id',
  'made_in',
  'operation_id',
  'root',
  'path',
  'before_id',
  'before_mode',
  'after_id',
  'after_mode',
  'status',
  'reason',
  'created_at',
] as const

type Row = Record<(typeof COLUMNS)[number], string | number | null> & { ordinal: number }

/** Rows that one statement inserts; a statement takes 32,766 values. */
const AT_ONCE = 100

/** Adds rows and returns their ordinals, in order. */
export async function insertFileChanges(
  queries: RawQueries,
  changes: readonly NewFileChange[],
): Promise<number[]> {
  const ordinals: number[] = []
  for (let start = 0; start < changes.length; start += AT_ONCE) {
    const some = changes.slice(start, start + AT_ONCE)
    const places = `(${COLUMNS.map(() => '?').join(', ')})`
    const written = await queries.$queryRawUnsafe<{ ordinal: number }[]>(
      `INSERT INTO file_changes (${COLUMNS.join(', ')}) VALUES ${some.map(() => places).join(', ')} RETURNING ordinal`,
      ...some.flatMap(valuesOf),
    )
    ordinals.push(...written.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b))
  }
  return ordinals
}

function valuesOf(change: NewFileChange): (string | number | null)[] {
  const { before, after } = change
  return [
    change.sessionId,
    change.author,
    change.messageId,
    change.runId,
    change.toolCallId,
    change.madeIn,
    change.operationId,
    change.root,
    change.path,
    before?.id ?? null,
    before?.mode ?? null,
    after?.id ?? null,
    after?.mode ?? null,
    change.status,
    change.reason,
    change.createdAt,
  ]
}

export async function deleteFileChanges(queries: RawQueries, ordinals: readonly number[]): Promise<void> {
  for (const ordinal of ordinals)
    await queries.$executeRawUnsafe('DELETE FROM file_changes WHERE ordinal = ?', ordinal)
}

export async function updateFileChanges(
  queries: RawQueries,
  updates: readonly FileChangeUpdate[],
): Promise<void> {
  for (const { ordinal, status, before, after } of updates) {
    const states = [
      ...(before === undefined ? [] : [['before', before] as const]),
      ...(after === undefined ? [] : [['after', after] as const]),
    ]
    const sets = states.map(([name]) => `, ${name}_id = ?, ${name}_mode = ?`).join('')
    const values = states.flatMap(([, state]) => [state?.id ?? null, state?.mode ?? null])
    await queries.$executeRawUnsafe(
      `UPDATE file_changes SET status = ?${sets} WHERE ordinal = ?`,
      status,
      ...values,
      ordinal,
    )
  }
}

const SELECT = `SELECT ordinal, ${COLUMNS.join(', ')} FROM file_changes`

/** The next rows of a session after an ordinal, in order. */
export async function fileChangesOf(
  queries: ReadQueries,
  sessionId: string,
  after: number,
  limit: number,
): Promise<FileChangeRow[]> {
  const sql = `${SELECT} WHERE session_id = ? AND ordinal > ? ORDER BY ordinal LIMIT ?`
  return (await queries.$queryRawUnsafe<Row[]>(sql, sessionId, after, limit)).map(toChange)
}

/** The latest row of a session for a path that is on the disk. */
export async function latestFileChange(
  queries: ReadQueries,
  sessionId: string,
  root: string,
  path: string,
): Promise<FileChangeRow | null> {
  const [row] = await queries.$queryRawUnsafe<Row[]>(
    `${SELECT} WHERE session_id = ? AND root = ? AND path = ? AND status IN ('made', 'uncertain')
     ORDER BY ordinal DESC LIMIT 1`,
    sessionId,
    root,
    path,
  )
  return row === undefined ? null : toChange(row)
}

/** Rows of all sessions that a host has not finished. */
export async function unfinishedFileChanges(queries: ReadQueries): Promise<FileChangeRow[]> {
  const sql = `${SELECT} WHERE status IN ('pending', 'open') ORDER BY ordinal`
  return (await queries.$queryRawUnsafe<Row[]>(sql)).map(toChange)
}

/** A value that no code writes becomes the one that restores nothing by itself. */
function toChange(row: Row): FileChangeRow {
  return {
    ordinal: row.ordinal,
    sessionId: String(row.session_id),
    author: CHANGE_AUTHORS.find((author) => author === row.author) ?? 'person',
    messageId: textOf(row.message_id),
    runId: textOf(row.run_id),
    toolCallId: textOf(row.tool_call_id),
    madeIn: String(row.made_in),
    operationId: textOf(row.operation_id),
    root: String(row.root),
    path: String(row.path),
    before: stateOf(row.before_id, row.before_mode),
    after: stateOf(row.after_id, row.after_mode),
    status: CHANGE_STATUSES.find((status) => status === row.status) ?? 'settled',
    reason: NOT_KEPT_REASONS.find((reason) => reason === row.reason) ?? null,
    createdAt: Number(row.created_at),
  }
}

function textOf(value: string | number | null): string | null {
  return value === null ? null : String(value)
}

function stateOf(id: string | number | null, mode: string | number | null): FileState | null {
  const known = FILE_MODES.find((one) => one === mode)
  return id === null || known === undefined ? null : { id: String(id), mode: known }
}

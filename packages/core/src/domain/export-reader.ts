import { AppError } from './errors.ts'
import {
  COLUMNS,
  type ColumnType,
  type ExportRow,
  type ExportRows,
  type ExportRowType,
} from './export-rows.ts'
import { CLIENT_ID_PATTERN } from './ids.ts'
import { sha256 } from './sha256.ts'

/** A line of an export; that of the session says how many there are in all. */
type Line = { type: ExportRowType; data: Record<string, unknown>; rows?: unknown; number: number }

/**
 * Takes the lines of an export in order. Both fail with `INVALID_INPUT` of field `data`, `read` naming the line, `finish`
 * when there are not as many lines as the first one says.
 */
export type ExportReader = {
  read(line: Line): Promise<void>
  finish(): ExportRows
}

export function createExportReader(): ExportReader {
  let session: ExportRow<'session'> | null = null
  const rows: Omit<ExportRows, 'session'> = { messages: [], parts: [], operations: [], systemPrompts: [] }
  const messageIds = new Set<string>()
  const seen = new Set<string>()
  let announced: number | null = null
  let lines = 0

  function once(kind: string, value: string | number) {
    const key = `${kind} ${value}`
    if (seen.has(key)) throw new Flaw(`${kind} ${value} is there twice`)
    seen.add(key)
  }

  async function place({ type, data, rows: count }: Line) {
    if ((type === 'session') !== (session === null)) throw new Flaw('an export begins with its one session')
    switch (type) {
      case 'session':
        session = checkRow(type, data)
        announced = checkCount(count)
        return
      case 'message': {
        const row = checkRow(type, data)
        if (row.seq === null && row.queued_at === null) throw new Flaw('the message has no place')
        once('message', row.id)
        if (row.seq !== null) once('seq', row.seq)
        messageIds.add(row.id)
        rows.messages.push(ofSession(row, session))
        return
      }
      case 'part': {
        const row = checkRow(type, data)
        if (!messageIds.has(row.message_id)) throw new Flaw('its message is not on a line above')
        once('part', row.id)
        once(`index of a part of ${row.message_id}:`, row.index)
        rows.parts.push(ofSession(row, session))
        return
      }
      case 'history_op': {
        const row = checkRow(type, data)
        once('operation', row.id)
        rows.operations.push(ofSession(row, session))
        return
      }
      case 'system_prompt': {
        const row = await checkPrompt(data)
        once('system prompt', row.digest)
        rows.systemPrompts.push(row)
      }
    }
  }

  return {
    async read(line) {
      lines += 1
      try {
        await place(line)
      } catch (error) {
        if (!(error instanceof Flaw)) throw error
        throw invalid(`Line ${line.number} cannot be imported: ${error.message}.`)
      }
    },
    finish() {
      if (session === null) throw invalid('There is no session in this export.')
      if (announced !== null && announced !== lines) {
        throw invalid(`This export is not whole: it has ${lines} rows, and had ${announced}.`)
      }
      return { session, ...rows }
    },
  }
}

/** What is wrong with a line. */
class Flaw extends Error {}

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'data' })
}

function ofSession<R extends { session_id: string }>(row: R, session: ExportRow<'session'> | null): R {
  if (row.session_id !== session?.id) throw new Flaw('it belongs to another session')
  return row
}

/** Prompts are kept once for all sessions, so one under another's digest would be shown in its place. */
async function checkPrompt(data: Record<string, unknown>): Promise<ExportRow<'system_prompt'>> {
  const row = checkRow('system_prompt', data)
  if (row.digest !== (await sha256(row.body))) throw new Flaw('digest is not that of the body')
  return row
}

/** How many rows there are in all; null in an export from before that was told. */
function checkCount(count: unknown): number | null {
  if (count === undefined) return null
  if (typeof count === 'number' && holds('integer', count)) return count
  throw new Flaw(`rows must be ${DEMANDS.integer}`)
}

/** The row with its columns in the order of the table. */
function checkRow<T extends ExportRowType>(type: T, data: Record<string, unknown>): ExportRow<T> {
  const columns: Record<string, ColumnType> = COLUMNS[type]
  const unknown = Object.keys(data).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) throw new Flaw(`a ${type} has no column ${unknown.slice(0, 40)}`)
  const checked = Object.entries(columns).map(([name, column]) => {
    const value = data[name]
    if (!holds(column, value)) throw new Flaw(`${name} of a ${type} must be ${DEMANDS[column]}`)
    return [name, value]
  })
  // Every column of the table is there and holds what it should.
  return Object.fromEntries(checked) as ExportRow<T>
}

const DEMANDS: Record<ColumnType, string> = {
  id: 'an id',
  'id?': 'an id or null',
  text: 'a text',
  'text?': 'a text or null',
  integer: 'a whole number, 0 or more',
  'integer?': 'a whole number, 0 or more, or null',
  number: 'a number',
}

function holds(column: ColumnType, value: unknown): boolean {
  switch (column) {
    case 'id':
      return typeof value === 'string' && CLIENT_ID_PATTERN.test(value)
    case 'text':
      return typeof value === 'string'
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'id?':
      return value === null || holds('id', value)
    case 'text?':
      return value === null || holds('text', value)
    case 'integer?':
      return value === null || holds('integer', value)
  }
}

import { AppError } from '../errors.ts'
import { sha256 } from '../values/sha256.ts'
import {
  COLUMNS,
  type ColumnType,
  type ExportRow,
  type ExportRows,
  type ExportRowType,
} from './export-rows.ts'
import { createMessageTally, type MessageTally } from './message-tally.ts'
import { COLUMN_CHECKS } from './row-columns.ts'
import { admitMessage, admitOperation, admitPart, admitSession, Flaw } from './row-json.ts'

/** A line of an export; that of the session says how many there are in all. */
type Line = {
  type: ExportRowType
  data: Record<string, unknown>
  rows?: unknown
  deleted_at?: unknown
  number: number
}

/**
 * Takes the lines of an export in order, and checks each as strictly as what callers send. Both fail with
 * `INVALID_INPUT` of field `data`, `read` naming the line, `finish` when the rows don't make a whole.
 */
export type ExportReader = {
  read(line: Line): Promise<void>
  finish(): ExportRows
}

export function createExportReader(): ExportReader {
  let session: ExportRow<'session'> | null = null
  const rows: Omit<ExportRows, 'session' | 'deletedAt'> = {
    messages: [],
    parts: [],
    operations: [],
    systemPrompts: [],
  }
  const tally = createMessageTally()
  const seen = new Set<string>()
  const operationLines: { number: number; lastPlace: number }[] = []
  let announced: number | null = null
  let deletedAt: number | null = null
  let lines = 0

  function once(kind: string, value: string | number) {
    const key = `${kind} ${value}`
    if (seen.has(key)) throw new Flaw(`${kind} ${value} is there twice`)
    seen.add(key)
  }

  async function place({ type, data, rows: count, deleted_at, number }: Line) {
    if ((type === 'session') !== (session === null)) throw new Flaw('an export begins with its one session')
    switch (type) {
      case 'session':
        session = admitSession(checkRow(type, data))
        announced = checkCount(count)
        deletedAt = checkDeletion(deleted_at)
        return
      case 'message': {
        const row = admitMessage(ofSession(checkRow(type, data), session))
        once('message', row.id)
        if (row.seq !== null) once('seq', row.seq)
        tally.addMessage(row)
        rows.messages.push(row)
        return
      }
      case 'part': {
        const row = ofSession(checkRow(type, data), session)
        tally.addPart(row, admitPart(row, roleOf(row, tally)))
        once('part', row.id)
        once(`index of a part of ${row.message_id}:`, row.index)
        rows.parts.push(row)
        return
      }
      case 'history_op': {
        const { row, lastPlace } = admitOperation(ofSession(checkRow(type, data), session))
        once('operation', row.id)
        operationLines.push({ number, lastPlace })
        rows.operations.push(row)
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
        throw refusal(line.number, error.message)
      }
    },
    finish() {
      if (session === null) throw invalid('There is no session in this export.')
      if (announced !== null && announced !== lines) {
        throw invalid(`This export is not whole: it has ${lines} rows, and had ${announced}.`)
      }
      const beyond = operationLines.find(({ lastPlace }) => lastPlace > tally.lastSeq)
      if (beyond !== undefined) throw refusal(beyond.number, 'detail_json names a place that no message has')
      return { session, deletedAt, ...rows }
    },
  }
}

function refusal(line: number, flaw: string): AppError {
  return invalid(`Line ${line} cannot be imported: ${flaw}.`)
}

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'data' })
}

function ofSession<R extends { session_id: string }>(row: R, session: ExportRow<'session'> | null): R {
  if (row.session_id !== session?.id) throw new Flaw('it belongs to another session')
  return row
}

function roleOf({ message_id }: ExportRow<'part'>, tally: MessageTally): string {
  const role = tally.roleOf(message_id)
  if (role === undefined) throw new Flaw('its message is not on a line above')
  return role
}

/** Prompts are shared by all sessions, so a prompt with another's digest would replace it. */
async function checkPrompt(data: Record<string, unknown>): Promise<ExportRow<'system_prompt'>> {
  const row = checkRow('system_prompt', data)
  if (row.digest !== (await sha256(row.body))) throw new Flaw('digest is not that of the body')
  return row
}

/** How many rows there are in all; null in an export that does not say so. */
function checkCount(count: unknown): number | null {
  if (count === undefined) return null
  const problem = COLUMN_CHECKS.count(count)
  if (problem === null) return count as number
  throw new Flaw(`rows${problem}`)
}

/** When the session was moved to the bin; null in an export that does not say so. */
function checkDeletion(at: unknown): number | null {
  if (at === undefined) return null
  const problem = COLUMN_CHECKS.time(at)
  if (problem === null) return at as number
  throw new Flaw(`deleted_at${problem}`)
}

/** The row with its columns in the order of the table, its texts without half characters. */
function checkRow<T extends ExportRowType>(type: T, data: Record<string, unknown>): ExportRow<T> {
  const columns: Record<string, ColumnType> = COLUMNS[type]
  const unknown = Object.keys(data).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) throw new Flaw(`a ${type} has no column ${unknown.slice(0, 40)}`)
  const checked = Object.entries(columns).map(([name, column]) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    const problem = COLUMN_CHECKS[column](value)
    if (problem !== null) throw new Flaw(`${name} of a ${type}${problem}`)
    return [name, typeof value === 'string' ? value.toWellFormed() : value]
  })
  // Every column of the table is there and holds what it should.
  return Object.fromEntries(checked) as ExportRow<T>
}

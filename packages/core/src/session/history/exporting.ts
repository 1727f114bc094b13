import { AppError } from '../../domain/errors.ts'
import type { Session } from '../../domain/session.ts'
import type { ExportLine, ImportLine } from '../../ports/index.ts'
import type { HistoryService } from '../history-service.ts'
import type { HistoryPorts } from './perform.ts'

const TYPES: ReadonlySet<unknown> = new Set<ExportLine['type']>([
  'session',
  'message',
  'part',
  'history_op',
  'system_prompt',
])

/** Carrying a session out and in, a row a line. */
export function createExporting(
  { store, events }: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'export' | 'import'> {
  return {
    async *export({ sessionId, format = 'jsonl' }) {
      await requireSession(sessionId)
      const lines = store.history.exportRows(sessionId)
      yield* format === 'jsonl' ? asLines(lines) : asArray(lines)
    },

    async import(data) {
      const session = await store.history.importRows(parseLines(linesOf(data)))
      events.publish({ type: 'session-created', sessionId: session.id, session })
      return session
    },
  }
}

async function* asLines(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

async function* asArray(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const line of lines) {
    yield `${before}${JSON.stringify(line)}`
    before = ',\n'
  }
  yield '\n]\n'
}

/** Lines of a text that comes in pieces; of the array form, the rows without the commas between them. */
async function* linesOf(data: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest: string[] = []
  for await (const piece of data) {
    const [end = '', ...lines] = piece.split('\n')
    rest.push(end)
    // A long line may come in many pieces, which are put together once.
    const last = lines.pop()
    if (last === undefined) continue
    yield rest.join('')
    yield* lines
    rest = [last]
  }
  yield rest.join('')
}

async function* parseLines(lines: AsyncIterable<string>): AsyncGenerator<ImportLine> {
  let number = 0
  for await (const line of lines) {
    number += 1
    const text = line.trim().replace(/,$/, '')
    if (text !== '' && text !== '[' && text !== ']') yield { ...parseLine(text, number), number }
  }
}

function parseLine(text: string, number: number): ExportLine {
  try {
    const value: unknown = JSON.parse(text)
    if (isExportLine(value)) return value
  } catch {
    // Told below, like any other line that is no row.
  }
  throw new AppError('INVALID_INPUT', `Line ${number} is not a row of an export.`, { field: 'data' })
}

function isExportLine(value: unknown): value is ExportLine {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('data' in value)) return false
  return (
    TYPES.has(value.type) &&
    typeof value.data === 'object' &&
    value.data !== null &&
    !Array.isArray(value.data)
  )
}

import { AppError } from '../../domain/errors.ts'
import { IMPORT_LIMITS } from '../../domain/limits.ts'
import type { ExportLine, ImportLine } from '../../ports/index.ts'
import { arrayElements } from './array-elements.ts'

export type Pieces = AsyncIterable<string> | Iterable<string>

const TYPES: ReadonlySet<unknown> = new Set<ExportLine['type']>([
  'session',
  'message',
  'part',
  'history_op',
  'system_prompt',
])

/** The rows in the text of an export, which is lines or a JSON array laid out in any way. `INVALID_INPUT` names the line. */
export async function* importLines(data: Pieces): AsyncGenerator<ImportLine> {
  const { begin, rest } = await beginning(data)
  const rows = begin === '[' ? arrayElements(rest, checkLength) : linesOf(rest)
  for await (const { text, number } of rows) {
    if (text.trim() !== '') yield { ...parseLine(text, number), number }
  }
}

/** The first character that is no space, and all pieces from the first on. */
async function beginning(data: Pieces): Promise<{ begin: string; rest: AsyncGenerator<string> }> {
  const pieces = (async function* () {
    yield* data
  })()
  let read = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    read += next.value
    if (read.trimStart() !== '') break
  }
  async function* rest() {
    yield read
    yield* pieces
  }
  return { begin: read.trimStart().slice(0, 1), rest: rest() }
}

async function* linesOf(data: AsyncIterable<string>): AsyncGenerator<{ text: string; number: number }> {
  let number = 0
  let rest: string[] = []
  let length = 0
  for await (const piece of data) {
    const [end = '', ...lines] = piece.split('\n')
    rest.push(end)
    length += end.length
    checkLength(length, number + 1)
    // A long line may come in many pieces, which are put together once.
    const last = lines.pop()
    if (last === undefined) continue
    for (const text of [rest.join(''), ...lines]) {
      checkLength(text.length, ++number)
      yield { text, number }
    }
    rest = [last]
    length = last.length
  }
  yield { text: rest.join(''), number: ++number }
}

/** A row that does not end is refused before it fills the memory. */
function checkLength(length: number, number: number): void {
  if (length <= IMPORT_LIMITS.rowCharacters) return
  const message = `Line ${number} is longer than ${IMPORT_LIMITS.rowCharacters} characters.`
  throw new AppError('INVALID_INPUT', message, { field: 'data' })
}

function parseLine(text: string, number: number): ExportLine {
  try {
    const value: unknown = JSON.parse(text.trim())
    if (isExportLine(value)) return value
  } catch {
    // Reported below, like any other line that is not a row.
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

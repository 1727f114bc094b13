import { AppError } from '../../domain/errors.ts'
import { jsonExcess } from '../../domain/json/json-bounds.ts'
import { IMPORT_LIMITS } from '../../domain/limits.ts'
import type { Clock } from '../../ports/index.ts'
import { arrayElements } from './array-elements.ts'
import type { FileLine } from './blob-lines.ts'

export type Pieces = AsyncIterable<string> | Iterable<string>

const TYPES: ReadonlySet<unknown> = new Set<FileLine['type']>([
  'session',
  'message',
  'part',
  'history_op',
  'system_prompt',
  'blob',
])

/** Characters that are read at once, with other work of the host in between. */
const SLICE = 65_536
/** Values of a row: its columns, and more than that to name what is wrong with others. */
const ROW_VALUES = 1_000

/** The rows in the text of an export, which is lines or a JSON array laid out in any way. `INVALID_INPUT` names the line. */
export async function* importLines(data: Pieces, clock: Pick<Clock, 'turn'>): AsyncGenerator<FileLine> {
  const { begin, line, rest } = await pastBlank(inSlices(data, clock))
  const rows = begin === '[' ? arrayElements(rest, checkLength, line) : linesOf(rest, line)
  for await (const { text, number } of rows) yield parseLine(text, number)
}

async function* inSlices(data: Pieces, clock: Pick<Clock, 'turn'>): AsyncGenerator<string> {
  for await (const piece of data) {
    for (let start = 0; start < piece.length; start += SLICE) {
      yield piece.slice(start, start + SLICE)
      await clock.turn()
    }
  }
}

/** The first character that is no space, the number of its line, and everything from there on. */
async function pastBlank(pieces: AsyncGenerator<string>) {
  let line = 1
  let text = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text = next.value.trimStart()
    line += next.value.slice(0, next.value.length - text.length).split('\n').length - 1
    if (text !== '') break
  }
  async function* rest() {
    yield text
    yield* pieces
  }
  return { begin: text.slice(0, 1), line, rest: rest() }
}

/** The lines that are not blank; the first one has the number `first`. */
async function* linesOf(
  data: AsyncIterable<string>,
  first: number,
): AsyncGenerator<{ text: string; number: number }> {
  let number = first - 1
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
      number += 1
      if (text.trim() !== '') yield { text, number }
    }
    rest = [last]
    length = last.length
  }
  const text = rest.join('')
  if (text.trim() !== '') yield { text, number: number + 1 }
}

/** A row that does not end is refused before it fills the memory. */
function checkLength(length: number, number: number): void {
  if (length <= IMPORT_LIMITS.rowCharacters) return
  const message = `Line ${number} is longer than ${IMPORT_LIMITS.rowCharacters} characters.`
  throw new AppError('INVALID_INPUT', message, { field: 'data' })
}

function parseLine(text: string, number: number): FileLine {
  try {
    const isBounded = jsonExcess(text, { nesting: IMPORT_LIMITS.nesting, values: ROW_VALUES }) === null
    const value: unknown = isBounded ? JSON.parse(text.trim()) : null
    if (isExportLine(value)) return { ...value, number }
  } catch {
    // Reported below, like any other line that is not a row.
  }
  throw new AppError('INVALID_INPUT', `Line ${number} is not a row of an export.`, { field: 'data' })
}

function isExportLine(value: unknown): value is Omit<FileLine, 'number'> {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('data' in value)) return false
  return (
    TYPES.has(value.type) &&
    typeof value.data === 'object' &&
    value.data !== null &&
    !Array.isArray(value.data)
  )
}

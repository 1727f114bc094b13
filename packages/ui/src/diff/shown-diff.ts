import { exactPieces } from '../exact/exact-pieces.ts'
import { type Budget, foldLine, lineCount, namedLines, rowsOf, type ShownLine } from '../exact/shown-lines.ts'
import type { DiffLine } from './diff-lines.ts'

/** A line of a difference as it is shown; `folded` is lines that are not. */
export type DiffRow = { kind: DiffLine['kind'] | 'folded'; line: ShownLine }

/** All lines of a difference. */
export function allRows(lines: readonly DiffLine[]): DiffRow[] {
  return runsOf(lines).flatMap(({ kind, texts }) =>
    namedLines(texts, (text) => (kind === 'gap' ? null : text)).map(
      (text): DiffRow => ({
        kind,
        line:
          typeof text === 'number'
            ? { kind: 'blank', count: text }
            : { kind: 'line', pieces: exactPieces(text) },
      }),
    ),
  )
}

/**
 * A difference that is longer than the budget, with its changed lines first: of each run of added, removed or equal lines only
 * the ends are shown, and of all these the first and the last, with the first that are added.
 */
export function foldedRows(lines: readonly DiffLine[], budget: Budget): DiffRow[] {
  const all = allRows(lines)
  const { columns } = budget
  const sum = all.reduce((rows, { line }) => rows + rowsOf(line, columns), 0)
  if (sum <= budget.whole) return all
  const short = all.map(({ kind, line }) => ({ kind, line: foldLine(line, columns) }))
  const ends = endsOfRuns(short)
  const firstAdded = short.findIndex(({ kind }) => kind === 'added')
  const shown = new Set([
    ...within(ends, short, budget.head, columns),
    ...within(ends.toReversed(), short, budget.tail, columns),
    ...ends.filter((at) => firstAdded !== -1 && at >= firstAdded && at < firstAdded + ADDED_SHOWN),
  ])
  return withFolds(short, shown)
}

/** These rows, with a fold in the place of each run of others. */
function withFolds(rows: readonly DiffRow[], shown: ReadonlySet<number>): DiffRow[] {
  const result: DiffRow[] = []
  let hidden: DiffRow[] = []
  const fold = () => {
    const count = hidden.reduce((sum, { kind, line }) => sum + (kind === 'gap' ? 0 : lineCount(line)), 0)
    if (hidden.length <= FOLDED_AT_LEAST) result.push(...hidden)
    else result.push({ kind: 'folded', line: { kind: 'folded', count } })
    hidden = []
  }
  rows.forEach((row, at) => {
    if (!shown.has(at)) {
      hidden.push(row)
      return
    }
    fold()
    result.push(row)
  })
  fold()
  return result
}

/** Lines at each end of a run of added or of removed lines that are shown, and beside them of equal ones. */
const RUN_END = 3
const CONTEXT_END = 1
/** Fewer rows take no more place than a fold. */
const FOLDED_AT_LEAST = 2
/** The first added lines that are always shown. */
const ADDED_SHOWN = 3

type Run = { kind: DiffLine['kind']; texts: string[] }

function runsOf(lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = []
  for (const { kind, text } of lines) {
    const last = runs.at(-1)
    if (last?.kind === kind) last.texts.push(text)
    else runs.push({ kind, texts: [text] })
  }
  return runs
}

/** The places of the rows at the ends of runs, in order; of equal lines only those beside a change. */
function endsOfRuns(rows: readonly DiffRow[]): number[] {
  const toStart = distances(rows)
  const toEnd = distances(rows.toReversed()).toReversed()
  return rows.flatMap((_, at) => {
    const [before = 0, after = 0] = [toStart[at], toEnd[at]]
    const isShown =
      rows[at]?.kind === 'same'
        ? (before < CONTEXT_END && isChange(rows[at - before - 1])) ||
          (after < CONTEXT_END && isChange(rows[at + after + 1]))
        : before < RUN_END || after < RUN_END
    return isShown ? [at] : []
  })
}

/** How far each row is from the first of its kind in a row. */
function distances(rows: readonly DiffRow[]): number[] {
  let start = 0
  return rows.map(({ kind }, at) => {
    if (rows[at - 1]?.kind !== kind) start = at
    return at - start
  })
}

function isChange(row: DiffRow | undefined): boolean {
  return row?.kind === 'added' || row?.kind === 'removed'
}

/** The first of these places whose rows fit; at least one. */
function within(
  places: readonly number[],
  rows: readonly DiffRow[],
  most: number,
  columns: number,
): number[] {
  let sum = 0
  const over = places.findIndex((at) => {
    const row = rows[at]
    sum += row === undefined ? 0 : rowsOf(row.line, columns)
    return sum > most
  })
  return places.slice(0, over === -1 ? places.length : Math.max(1, over))
}

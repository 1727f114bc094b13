/** One row of the printed table. */
export type Row = {
  /** The rule that names the goal, such as `PF-1`. */
  rule: string
  what: string
  bare: string
  /** The figure of another checkout of ours, with the ratio of ours to it. */
  former?: string
  ours: string
  /** Another product's figure, where one is installed. */
  peer?: string
  /** Difference or ratio, over the rounds: min / median / max where there are several. */
  result: string
  goal: string
  /** Null where the rule has no figure. */
  holds: boolean | null
}

const COLUMNS = ['rule', 'what', 'bare', 'former', 'ours', 'peer', 'result', 'goal'] as const

/** Columns that there are only with a figure in them. */
const OPTIONAL = ['former', 'peer'] as const

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const absent = OPTIONAL.filter((column) => rows.every((row) => row[column] === undefined))
  const columns = COLUMNS.filter((column) => !absent.some((name) => name === column))
  const cell = (row: Row, column: (typeof COLUMNS)[number]) => row[column] ?? ''
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => cell(row, column).length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [
    line([...columns, '  ']),
    line([...widths.map((width) => '-'.repeat(width)), '--']),
    ...rows.map((row) => line([...columns.map((column) => cell(row, column)), verdict(row)])),
  ].join('\n')
}

function verdict({ holds }: Row): string {
  if (holds === null) return '  '
  return holds ? 'ok' : 'NO'
}

const FIGURES = { begin: '<!-- figures of one run -->', end: '<!-- end of the figures -->' }

/** The page with other figures between its two marks. Throws when it has no marks. */
export function replaceFigures(page: string, figures: string): string {
  const [begin, end] = [page.indexOf(FIGURES.begin), page.indexOf(FIGURES.end)]
  if (begin < 0 || end < begin) throw new Error('The page has no place for the figures.')
  return `${page.slice(0, begin + FIGURES.begin.length)}\n\n${figures}\n\n${page.slice(end)}`
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`
}

/** A difference with its sign. */
export function added(value: number): string {
  return `${value < 0 ? '-' : '+'} ${ms(Math.abs(value))}`
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`
}

export function perSecond(value: number): string {
  return `${Math.round(value)}/s`
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}

export function spread(
  values: { min: number; median: number; max: number },
  unit: (v: number) => string,
): string {
  return `${unit(values.min)} / ${unit(values.median)} / ${unit(values.max)}`
}

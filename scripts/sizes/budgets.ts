import { isTestFile, testFolders } from '../lib/source-files.ts'

/** A source file and how many lines it has. */
export interface SizedFile {
  readonly path: string
  readonly lines: number
}

export interface SizeReport {
  readonly problems: readonly string[]
  readonly files: number
  /** Median lines of the source files, tests left out. */
  readonly median: number
  /** Lines of tests and test helpers, for each line of source. */
  readonly ratio: number
}

/** Lines that a source file, a test file and the median source file may have. */
const limits = { source: 300, test: 500, median: 100 } as const

/** The least lines of tests for each line of source. */
const testsForSource = 1.2

/** Checks files against the size budgets. */
export function checkSizes(files: readonly SizedFile[]): SizeReport {
  const tests = files.filter(({ path }) => isForTests(path))
  const sources = files.filter(({ path }) => !isForTests(path))
  const median = middle(sources.map(({ lines }) => lines))
  const ratio = total(tests) / Math.max(1, total(sources))
  const long = files.flatMap(({ path, lines }) => {
    const limit = isTestFile(path) ? limits.test : limits.source
    return lines > limit ? [`${path} has ${lines} lines, ${limit} is the end`] : []
  })
  const untested = sources.length > 0 && ratio < testsForSource
  return {
    problems: [
      ...long,
      ...(median > limits.median ? [`the median file has ${median} lines`] : []),
      ...(untested
        ? [`${ratio.toFixed(2)} lines of tests for each of source, ${testsForSource} are due`]
        : []),
    ],
    files: files.length,
    median,
    ratio,
  }
}

const isForTests = (path: string) =>
  isTestFile(path) || path.startsWith('e2e/') || testFolders.some((folder) => path.includes(`/${folder}/`))

const total = (files: readonly SizedFile[]) => files.reduce((sum, { lines }) => sum + lines, 0)

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

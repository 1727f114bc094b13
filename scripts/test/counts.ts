import { stripVTControlCharacters } from 'node:util'

/** The counts of a stage of `pnpm test`, its failed tests, and the names of its skipped ones. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly skipped: readonly string[]
}

export interface Failure {
  readonly title: string
  /** What the test's assertion or error said; empty when it said nothing. */
  readonly why: string
}

/** The part of vitest's JSON report that is read here. */
interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** The part of Playwright's JSON report that is read here. */
interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[]
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly results?: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

export const noCounts: Counts = { passed: 0, failed: 0, failures: [], skipped: [] }

/** Lines and characters of a failure that its repetition at the end shows; the output of its stage has the whole. */
const FAILURE_LINES = 15
const FAILURE_CHARACTERS = 1_500

export function vitestCounts(json: string): Counts {
  const report: VitestReport = JSON.parse(json)
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return countEach(
    tests.map(({ status, fullName, failureMessages = [] }) => ({
      title: fullName.trim(),
      why: failureMessages.join('\n'),
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  )
}

/** A test that passed only when retried has failed: a suite that is run three times must pass three times. */
export function playwrightCounts(json: string): Counts {
  const report: PlaywrightReport = JSON.parse(json)
  const specs = report.suites.flatMap(allSpecs)
  return countEach(
    specs.flatMap(({ title, tests }) =>
      tests.map(({ status, results = [] }) => ({
        title,
        why: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
        outcome: playwrightOutcome[status],
      })),
    ),
  )
}

/** A stage that broke without a failed test (a file that does not load, a check) counts as one failure. */
export function withExitCode(counts: Counts, code: number): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.reduce((total, { failed }) => total + failed, 0),
    failures: all.flatMap(({ failures }) => failures),
    skipped: all.flatMap(({ skipped }) => skipped),
  }
}

/** The last line: `123 passed, 0 failed`, with `, 4 skipped` when anything was. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`
  return skipped.length === 0 ? line : `${line}, ${skipped.length} skipped`
}

/** A failed test with the beginning of what it said, indented below its name. */
export function failureLines({ title, why }: Failure): string {
  const said = stripVTControlCharacters(why).slice(0, FAILURE_CHARACTERS).trimEnd()
  const lines = said === '' ? [] : said.split('\n').slice(0, FAILURE_LINES)
  return [`failed: ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

type Outcome = 'passed' | 'failed' | 'skipped'

const playwrightOutcome = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'failed',
  skipped: 'skipped',
} as const satisfies Record<string, Outcome>

const allSpecs = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...suite.specs,
  ...(suite.suites ?? []).flatMap(allSpecs),
]

function countEach(tests: readonly (Failure & { readonly outcome: Outcome })[]): Counts {
  const withOutcome = (wanted: Outcome) => tests.filter(({ outcome }) => outcome === wanted)
  return {
    passed: withOutcome('passed').length,
    failed: withOutcome('failed').length,
    failures: withOutcome('failed').map(({ title, why }) => ({ title, why })),
    skipped: withOutcome('skipped').map(({ title }) => title),
  }
}

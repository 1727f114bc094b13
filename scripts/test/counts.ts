/** The counts of a stage of `pnpm test`, and the names of its skipped tests. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
}

/** The part of vitest's JSON report that is read here. */
interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
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
    readonly tests: readonly { readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[]
  }[]
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: [] }

export function vitestCounts(json: string): Counts {
  const report: VitestReport = JSON.parse(json)
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return countEach(
    tests.map(({ status, fullName }) => ({
      title: fullName.trim(),
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
      tests.map(({ status }) => ({ title, outcome: playwrightOutcome[status] })),
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
    skipped: all.flatMap(({ skipped }) => skipped),
  }
}

/** The last line: `123 passed, 0 failed`, with `, 4 skipped` when anything was. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`
  return skipped.length === 0 ? line : `${line}, ${skipped.length} skipped`
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

function countEach(tests: readonly { readonly title: string; readonly outcome: Outcome }[]): Counts {
  const withOutcome = (wanted: Outcome) => tests.filter(({ outcome }) => outcome === wanted)
  return {
    passed: withOutcome('passed').length,
    failed: withOutcome('failed').length,
    skipped: withOutcome('skipped').map(({ title }) => title),
  }
}

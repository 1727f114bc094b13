import { runCaptured } from '../lib/run-captured.ts'
import { turbo } from '../lib/turbo.ts'
import { playwrightCounts, vitestCounts } from './counts.ts'
import type { Stage } from './run-stages.ts'

const vitestReport = 'test-results/vitest.json'

/** The report of the end to end run, relative to the repository. */
export const browserReport = 'test-results/browser.json'

/**
 * The stages of `pnpm test` in groups that run one after the other: checks first, which take least time and find most, then the
 * tests. Those in the browser run alone, since some hold the page to times.
 * With `echo` every stage is a group of its own, so that no output is mixed with another.
 */
export function testStages(echo: boolean): readonly (readonly Stage[])[] {
  const run = (command: string, ...args: string[]) => runCaptured(command, args, { echo })
  const groups: readonly (readonly Stage[])[] = [
    [{ name: 'generate', says: 'the database client', run: () => turbo(['generate'], { echo }) }],
    [
      {
        name: 'types',
        says: 'every package compiles',
        run: () => turbo(['typecheck', '//#typecheck:root'], { echo }),
      },
      { name: 'lint', says: 'style and format', run: () => run('biome', 'check', '--error-on-warnings') },
      {
        name: 'boundaries',
        says: 'imports follow the layers',
        run: () => run('node', 'scripts/boundaries.ts'),
      },
      { name: 'spec', says: 'rules have tests, tests have rules', run: () => run('node', 'scripts/spec.ts') },
      { name: 'sizes', says: 'files are short', run: () => run('node', 'scripts/sizes.ts') },
      { name: 'unused', says: 'no unused file, export or dependency', run: () => run('knip') },
    ],
    [
      { name: 'build', says: 'server and web app', run: () => turbo(['build'], { echo }) },
      { name: 'chromium', says: 'found, or installed', run: () => run('node', 'scripts/chromium.ts') },
    ],
    [
      {
        name: 'tests',
        says: 'unit, contract and integration',
        run: () =>
          run('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`),
        report: { path: vitestReport, count: vitestCounts },
      },
    ],
    [
      {
        name: 'browser',
        says: 'end to end in Chromium',
        run: () => run('node', 'scripts/e2e.ts'),
        report: { path: browserReport, count: playwrightCounts },
      },
    ],
  ]
  return echo ? groups.flat().map((stage) => [stage]) : groups
}

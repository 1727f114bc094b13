import { readFileSync, rmSync } from 'node:fs'
import type { CapturedRun } from '../lib/run-captured.ts'
import { type Counts, noCounts, withExitCode } from './counts.ts'

/** One line of `pnpm test`. */
export interface Stage {
  readonly name: string
  /** What it checks, for the reader of the output. */
  readonly says: string
  readonly run: () => Promise<CapturedRun>
  /** Its test report, and how that is counted; a check has none. */
  readonly report?: { readonly path: string; readonly count: (json: string) => Counts }
}

/**
 * Runs every stage in turn, failed ones too, and returns the counts of each. Writes a line for each with the time it
 * took; the output of a stage follows only when it failed (`verbose`: it was printed already).
 */
export async function runStages(
  stages: readonly Stage[],
  write: (text: string) => void,
  { verbose = false, now = Date.now }: { readonly verbose?: boolean; readonly now?: () => number } = {},
): Promise<Counts[]> {
  const all: Counts[] = []
  for (const stage of stages) {
    const started = now()
    write(`${`${stage.name.padEnd(11)} ${stage.says} `.padEnd(52, '.')} ${verbose ? '\n' : ''}`)
    if (stage.report) rmSync(stage.report.path, { force: true })
    const { code, output } = await stage.run()
    const counts = withExitCode(countsOf(stage), code)
    const took = `${((now() - started) / 1000).toFixed(1)} s`
    write(
      counts.failed === 0 ? `ok, ${took}\n` : `FAILED, ${took}\n${verbose ? '' : `${output.trimEnd()}\n`}`,
    )
    all.push(counts)
  }
  return all
}

function countsOf({ report }: Stage): Counts {
  if (!report) return noCounts
  try {
    return report.count(readFileSync(report.path, 'utf8'))
  } catch {
    return { ...noCounts, failed: 1 }
  }
}

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

type Output = {
  /** The output of each stage was printed already. */
  readonly verbose?: boolean
  readonly now?: () => number
}

/**
 * Runs every stage, failed ones too, and returns the counts of each. Groups run one after the other, the stages of a group at
 * the same time. Writes a line for each with the time it took, when it ends; the output of a stage follows only when it failed.
 */
export async function runStages(
  groups: readonly (readonly Stage[])[],
  write: (text: string) => void,
  output: Output = {},
): Promise<Counts[]> {
  const all: Counts[] = []
  for (const group of groups) {
    all.push(...(await Promise.all(group.map((stage) => runStage(stage, write, output)))))
  }
  return all
}

async function runStage(
  stage: Stage,
  write: (text: string) => void,
  { verbose = false, now = Date.now }: Output,
): Promise<Counts> {
  const started = now()
  if (stage.report) rmSync(stage.report.path, { force: true })
  const { code, output } = await stage.run()
  const counts = withExitCode(countsOf(stage), code)
  const took = `${((now() - started) / 1000).toFixed(1)} s`
  const line = `${stage.name.padEnd(11)} ${stage.says} `.padEnd(52, '.')
  const failure = verbose ? '' : `${output.trimEnd()}\n`
  write(counts.failed === 0 ? `${line} ok, ${took}\n` : `${line} FAILED, ${took}\n${failure}`)
  return counts
}

function countsOf({ report }: Stage): Counts {
  if (!report) return noCounts
  try {
    return report.count(readFileSync(report.path, 'utf8'))
  } catch {
    return { ...noCounts, failed: 1 }
  }
}

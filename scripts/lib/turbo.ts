import { type CapturedOptions, type CapturedRun, runCaptured } from './run-captured.ts'

/** Runs turbo tasks (cached, all that fails is said) without telemetry. */
export function turbo(tasks: readonly string[], options: CapturedOptions = {}): Promise<CapturedRun> {
  return runCaptured('turbo', ['run', ...tasks, '--output-logs=errors-only', '--log-prefix=task'], {
    ...options,
    env: { TURBO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', ...options.env },
  })
}

import { type CapturedOptions, type CapturedRun, runCaptured } from './run-captured.ts'

/** Runs turbo tasks without telemetry. What is cached is skipped; what fails does not keep the others from running. */
export function turbo(tasks: readonly string[], options: CapturedOptions = {}): Promise<CapturedRun> {
  return runCaptured(
    'turbo',
    [
      'run',
      ...tasks,
      '--concurrency=100%',
      '--continue=always',
      '--output-logs=errors-only',
      '--log-prefix=task',
    ],
    {
      ...options,
      env: { TURBO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', ...options.env },
    },
  )
}

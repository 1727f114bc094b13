import { type CapturedOptions, type CapturedRun, runCaptured } from './run-captured.ts'

/** Runs turbo tasks without telemetry. Cached tasks are skipped; a failure does not stop the other tasks. */
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

import type { Clock, Logger, Store } from '../ports/index.ts'

/** Milliseconds that the log of a run stays after its end, as its live stream does. */
const LOG_GRACE_MS = 60_000

/** Deletes the log of a run after the grace period. One that cannot be deleted goes at the next start. */
export function dropLogLater(
  runId: string,
  { store, clock, logger }: { store: Store; clock: Clock; logger: Logger },
): void {
  clock.after(LOG_GRACE_MS, () => {
    store.runs
      .dropLog(runId)
      .catch((error: unknown) => logger.warn({ error, runId }, 'The log of a run could not be deleted'))
  })
}

/** The rows of one run's log: how many it has, and the ids between which they are. */
export type LogPlace = { no: number; first: number; last: number }

/**
 * Where the logs of runs are in the table that they share, so that no write has to look it up. It is ahead of the file while a
 * transaction that appends is not committed.
 */
export type LogPlaces = {
  /** The id of the next row; null until the file has been asked for it. Ids of rows that were rolled back are left out. */
  nextId: number | null
  get(runId: string): LogPlace | undefined
  /** To be called by the transaction that makes it true. */
  set(runId: string, place: LogPlace): void
  forget(runId: string): void
  /** Keeps what the transaction that writes has set. */
  commit(): void
  /** Goes back to what was known before that transaction. */
  rollBack(): void
}

export function createLogPlaces(): LogPlaces {
  const places = new Map<string, LogPlace>()
  const before = new Map<string, LogPlace | undefined>()
  const note = (runId: string) => {
    if (!before.has(runId)) before.set(runId, places.get(runId))
  }
  return {
    nextId: null,
    get: (runId) => places.get(runId),
    set(runId, place) {
      note(runId)
      places.set(runId, place)
    },
    forget(runId) {
      note(runId)
      places.delete(runId)
    },
    commit: () => before.clear(),
    rollBack() {
      for (const [runId, place] of before)
        if (place === undefined) places.delete(runId)
        else places.set(runId, place)
      before.clear()
    },
  }
}

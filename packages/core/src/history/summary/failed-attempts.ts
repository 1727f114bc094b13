/** Sessions whose attempt is kept; the oldest goes first. */
const MOST_SESSIONS = 500
/** Growth of the window after which a failed attempt is repeated. */
const GROWTH = 1.1

/** What a compaction depends on beside the size of the window. */
type Attempt = { used: number; operations: number }

/** Automatic compactions that failed, so that the same one is not paid for again. */
export type FailedAttempts = {
  note(sessionId: string, attempt: Attempt): void
  /** True while the window has not grown by a tenth since a failure, and no operation has changed the history. */
  isRepeated(sessionId: string, attempt: Attempt): boolean
}

export function createFailedAttempts(): FailedAttempts {
  const failed = new Map<string, Attempt>()
  return {
    note(sessionId, attempt) {
      failed.delete(sessionId)
      failed.set(sessionId, attempt)
      const [oldest] = failed.keys()
      if (failed.size > MOST_SESSIONS && oldest !== undefined) failed.delete(oldest)
    },
    isRepeated(sessionId, { used, operations }) {
      const last = failed.get(sessionId)
      return last !== undefined && last.operations === operations && used < GROWTH * last.used
    },
  }
}

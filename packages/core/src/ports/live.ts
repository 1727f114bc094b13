import type { ChatChunk } from '../domain/message/message.ts'

/**
 * The live streams of runs: for each an append-only log of chunks that anyone can read from its start, at any time, at
 * their own pace. A log ends with exactly one terminal record and stays readable for a grace period after it.
 */
export interface LiveStreams {
  /** Opens the log of a run. One writer a run; a run id is never used twice. */
  open(run: { runId: string; sessionId: string }): LiveWriter
  /** Writes on in the log of a run that has waited; null when the log is unknown or has ended. */
  resume(runId: string): LiveWriter | null
  /**
   * Everything from the log's start, then what comes, in order, once each, as arrays of bounded size, the next one made when
   * the reader asks for it. Adjacent deltas of one part may arrive merged. Ends after the terminal record, when `signal`
   * aborts, or at once for an unknown run.
   */
  read(runId: string, signal?: AbortSignal): AsyncIterable<ChatChunk[]>
  /** The current run of a session, at the time of the call; any process may write it. */
  current(sessionId: string): Promise<string | null>
  /** The session that a readable run belongs to; null when the log is unknown or gone. */
  sessionOf(runId: string): Promise<string | null>
}

export interface LiveWriter {
  append(chunks: readonly ChatChunk[]): void
  /** Writes the terminal record; what comes later is dropped. Idempotent. */
  end(): void
}

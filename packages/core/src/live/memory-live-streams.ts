import type { ChatChunk } from '../domain/message/message.ts'
import { type ChunkLog, createChunkLog, START } from '../domain/stream/chunk-log.ts'
import type { Clock, LiveStreams, LiveWriter } from '../ports/index.ts'
import { createWakeup, type Wakeup } from './wakeup.ts'

/** Milliseconds that a finished run stays readable. */
const GRACE_MS = 60_000

/** Readers of one run that are all woken by each append. */
const READERS_AT_ONCE = 8
/** Milliseconds that each reader adds to the time between two wake-ups of more readers than that. */
const PAUSE_PER_READER_MS = 1
/** Maximum delay of new chunks in milliseconds. */
const LONGEST_PAUSE_MS = 250

type Run = {
  sessionId: string
  log: ChunkLog
  ended: boolean
  wakeup: Wakeup
  /** Counts wake-ups. */
  round: number
  /** When the next wake-up may be, as `clock.elapsed` counts. */
  nextRoundAt: number
  waiting: Disposable | null
}

/**
 * Live streams of one process. Readers pull by position, so a slow one costs nothing but its position in the log. A run with
 * many readers gathers its chunks for them: what an event costs for each reader would otherwise be paid for each chunk.
 */
export function createMemoryLiveStreams({
  clock,
  graceMs = GRACE_MS,
}: {
  clock: Clock
  graceMs?: number
}): LiveStreams {
  const runs = new Map<string, Run>()
  const currentRuns = new Map<string, string>()

  function wakeNow(run: Run): void {
    run.waiting?.[Symbol.dispose]()
    run.waiting = null
    run.round += 1
    const pause = pauseAfter(run.wakeup.wake())
    run.nextRoundAt = pause === 0 ? 0 : clock.elapsed() + pause
  }

  function wakeSoon(run: Run): void {
    if (run.waiting !== null) return
    const wait = run.nextRoundAt === 0 ? 0 : run.nextRoundAt - clock.elapsed()
    if (wait <= 0) wakeNow(run)
    else run.waiting = clock.after(wait, () => wakeNow(run))
  }

  function writerOf(runId: string, run: Run): LiveWriter {
    return {
      append(chunks) {
        if (run.ended) return
        for (const chunk of chunks) run.log.append(chunk)
        wakeSoon(run)
      },
      end() {
        if (run.ended) return
        run.ended = true
        if (currentRuns.get(run.sessionId) === runId) currentRuns.delete(run.sessionId)
        clock.after(graceMs, () => runs.delete(runId))
        wakeNow(run)
      },
    }
  }

  return {
    open({ runId, sessionId }) {
      if (runs.has(runId)) throw new Error(`The run ${runId} has a live stream already`)
      const run: Run = {
        sessionId,
        log: createChunkLog(),
        ended: false,
        wakeup: createWakeup(),
        round: 0,
        nextRoundAt: 0,
        waiting: null,
      }
      runs.set(runId, run)
      currentRuns.set(sessionId, runId)
      return writerOf(runId, run)
    },

    resume(runId) {
      const run = runs.get(runId)
      return run === undefined || run.ended ? null : writerOf(runId, run)
    },

    read: (runId, signal) => readRun(runs.get(runId), signal),
    current: async (sessionId) => currentRuns.get(sessionId) ?? null,
    sessionOf: async (runId) => runs.get(runId)?.sessionId ?? null,
  }
}

async function* readRun(run: Run | undefined, signal?: AbortSignal): AsyncGenerator<ChatChunk[]> {
  let position = START
  while (run !== undefined && signal?.aborted !== true) {
    const { round, ended } = run
    const slice = run.log.readFrom(position)
    position = slice.position
    if (slice.chunks.length > 0) yield slice.chunks
    else if (ended) return
    // Chunks appended after the slice are published in a round of their own.
    if (slice.isEnd && !run.ended && run.round === round) await run.wakeup.next(signal)
  }
}

function pauseAfter(readers: number): number {
  return readers <= READERS_AT_ONCE ? 0 : Math.min(readers * PAUSE_PER_READER_MS, LONGEST_PAUSE_MS)
}

import { type ChunkLog, createChunkLog, START } from '../domain/chunk-log.ts'
import type { Clock, LiveStreams } from '../ports/index.ts'
import { createWakeup, type Wakeup } from './wakeup.ts'

/** Milliseconds that a finished run stays readable. */
const GRACE_MS = 60_000

type Run = { sessionId: string; log: ChunkLog; ended: boolean; wakeup: Wakeup }

/** Live streams of one process. Readers pull by position, so a slow one costs nothing but its place in the log. */
export function createMemoryLiveStreams({
  clock,
  graceMs = GRACE_MS,
}: {
  clock: Clock
  graceMs?: number
}): LiveStreams {
  const runs = new Map<string, Run>()
  const currentRuns = new Map<string, string>()

  return {
    open({ runId, sessionId }) {
      if (runs.has(runId)) throw new Error(`The run ${runId} has a live stream already`)
      const run: Run = { sessionId, log: createChunkLog(), ended: false, wakeup: createWakeup() }
      runs.set(runId, run)
      currentRuns.set(sessionId, runId)
      return {
        append(chunks) {
          if (run.ended) return
          for (const chunk of chunks) run.log.append(chunk)
          run.wakeup.wake()
        },
        end() {
          if (run.ended) return
          run.ended = true
          if (currentRuns.get(sessionId) === runId) currentRuns.delete(sessionId)
          clock.after(graceMs, () => runs.delete(runId))
          run.wakeup.wake()
        },
      }
    },

    async *read(runId, signal) {
      const run = runs.get(runId)
      let position = START
      while (run !== undefined && signal?.aborted !== true) {
        const next = run.log.readFrom(position)
        position = next.position
        if (next.chunks.length > 0) yield next.chunks
        else if (run.ended) return
        else await run.wakeup.next(signal)
      }
    },

    current: (sessionId) => currentRuns.get(sessionId) ?? null,
    sessionOf: (runId) => runs.get(runId)?.sessionId ?? null,
  }
}

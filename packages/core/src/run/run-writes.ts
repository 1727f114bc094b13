import { AppError } from '../domain/errors.ts'
import { announceQueue } from '../history/apply/announce.ts'
import type { RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import type { RunState, TurnPorts } from './run-state.ts'

type RunWrites = {
  begin(trigger: RunTrigger, lease: RunLease): Promise<RunBeginning | null>
  takeSteering(run: RunState): Promise<void>
  releaseSteering(run: RunState): Promise<void>
}

/** The writes at the start of a run, and about messages that steer it. */
export function createRunWrites(ports: TurnPorts): RunWrites {
  const { store, clock, claims, background, logger } = ports

  /** Stores the question and the claim. A stale claim of this process is ended first. */
  async function begin(trigger: RunTrigger, lease: RunLease) {
    try {
      return await store.runs.begin(lease, trigger)
    } catch (error) {
      const busy = error instanceof AppError && error.code === 'SESSION_BUSY'
      if (!busy || !(await claims.endStale(lease.sessionId))) throw error
      return await store.runs.begin(lease, trigger)
    }
  }

  /** Adds queued messages marked `steer` to the reply. */
  async function takeSteering({ sessionId, runId, recorder }: RunState): Promise<void> {
    // What a step wrote and what the next one sends may each be megabytes.
    await clock.turn()
    const queue = await store.queue.list(sessionId)
    if (!queue.some(({ metadata }) => metadata.steer)) return
    await recorder.steer((reply) => store.runs.takeSteering(runId, reply))
    background.start('announce', () => announceQueue(sessionId, ports))
  }

  /** Lets messages that were meant for this run wait as others do: it takes no more of them, and they steer no later one. */
  async function releaseSteering({ sessionId }: RunState): Promise<void> {
    try {
      const meant = (await store.queue.list(sessionId)).filter(({ metadata }) => metadata.steer)
      for (const { id } of meant)
        await store.queue.edit(sessionId, id, { metadata: { steer: false } }, clock.now())
      if (meant.length > 0) background.start('announce', () => announceQueue(sessionId, ports))
    } catch (error) {
      // The end of the run does not depend on it.
      logger.warn({ error, sessionId }, 'Messages that steered a run could not be released')
    }
  }

  return { begin, takeSteering, releaseSteering }
}

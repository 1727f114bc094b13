import { AppError } from '../domain/errors.ts'
import { rootOf } from '../domain/session/session.ts'
import { announceQueue } from '../history/apply/announce.ts'
import type { RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import type { Shell } from '../tool/shell.ts'
import type { BegunTurn, RunState, TurnPorts } from './run-state.ts'

type RunWrites = {
  begin(trigger: RunTrigger, lease: RunLease): Promise<RunBeginning | null>
  takeSteering(run: RunState): Promise<void>
  /** Adds the state of the files at its sending to the message that started the run, once it is captured. */
  noteSnapshot(turn: BegunTurn): void
}

/** What may change files beside the calls of a run. */
type Others = {
  hookRunner: Pick<TurnPorts['hookRunner'], 'list'>
  shell: Pick<Shell, 'list'> | null
  coordinator: Pick<TurnPorts['coordinator'], 'subagents'>
}

/** Whether more than the run's own calls may change files during it: hooks, and what earlier runs of the chat have started. */
export function isNotAlone(
  { session }: Pick<RunState, 'session'>,
  { hookRunner, shell, coordinator }: Others,
): boolean {
  if (hookRunner.list().length > 0 || coordinator.subagents(session.id).length > 0) return true
  return shell?.list(rootOf(session)).some(({ exit }) => exit === null) ?? false
}

/** The writes at the start of a run and of a step. */
export function createRunWrites(ports: TurnPorts): RunWrites {
  const { store, clock, claims, background } = ports

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

  function noteSnapshot({ start, begun: { message }, lease, files }: BegunTurn): void {
    if (start.trigger.type !== 'message' || message === null) return
    const { id: messageId, sessionId, createdAt } = message
    files.whenCaptured((snapshotId) => {
      const metadata = { ...message.metadata, snapshotId }
      const log = { ...lease, chunks: [], open: null }
      const write = { log, sessionId, messageId, metadata, createdAt, parts: [], at: clock.now() }
      background.start('note the snapshot', () => store.runs.record(write))
    })
  }

  return { begin, takeSteering, noteSnapshot }
}

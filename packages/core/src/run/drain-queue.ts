import { createId } from '../domain/ids.ts'
import { isQueuePaused } from '../domain/message/last-turn-message.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import { announceQueue } from '../history/apply/announce.ts'
import { ensureFitForQueued } from '../history/compaction/switch-model.ts'
import { readLastTurn } from './read-last-turn.ts'
import type { FiredRun, StartTurn, TurnPorts } from './run-state.ts'

export type QueueDrain = {
  /**
   * Fires the queued message named, or the earliest one, unless a run is on or nothing is queued. On a host that stops, the
   * next one continues the queue when it starts.
   */
  drain(sessionId: string, messageId?: string): Promise<FiredRun | null>
  /** Fires the earliest queued message unless a failure or a stop has paused the queue. */
  resumeQueue(sessionId: string): Promise<FiredRun | null>
  /**
   * Has messages that were to steer a run that is over wait as the others do, so that they steer no other. Returns those that
   * wait.
   */
  endSteering(sessionId: string): Promise<StoredMessage[]>
}

/** Fires queued messages, each by a turn of its own. */
export function createQueueDrain(ports: TurnPorts, start: StartTurn): QueueDrain {
  const { store, clock, coordinator } = ports

  /** A run that waits pauses the queue as one that works. */
  function isFree(sessionId: string): boolean {
    return coordinator.active(sessionId) === null && coordinator.waiting(sessionId) === null
  }

  async function drain(sessionId: string, messageId?: string): Promise<FiredRun | null> {
    await coordinator.whenNotHeld(sessionId)
    if (!isFree(sessionId)) return null
    if (coordinator.closed) {
      if (await canResume(sessionId)) await store.queue.markForNextStart(sessionId)
      return null
    }
    const queue = await endSteering(sessionId)
    const next = queue.find(({ id }) => messageId === undefined || id === messageId)
    const session = next === undefined ? null : await store.sessions.get(sessionId)
    if (next === undefined || session === null || !(await mayStart(session))) return null
    const { variant: _, ...model } = session.model
    await ensureFitForQueued(session, next, ports)
    const agent = await ports.agentOf(session.agent, session)
    await coordinator.whenNotHeld(sessionId)
    if (!isFree(sessionId)) return null
    // The store decides which message is the earliest: the current one may be cancelled at the same moment.
    const trigger = { type: 'queued', messageId: messageId ?? null, model, change: null } as const
    const runId = createId('run')
    return await start({ session, runId, trigger, rewind: null, model, agent })
  }

  async function endSteering(sessionId: string): Promise<StoredMessage[]> {
    const queue = await store.queue.list(sessionId)
    const late = queue.filter(({ metadata }) => metadata.steer)
    if (late.length === 0) return queue
    const patch = { metadata: { steer: false } }
    // One that was cancelled meanwhile steers nothing any more.
    await Promise.allSettled(late.map(({ id }) => store.queue.edit(sessionId, id, patch, clock.now())))
    await announceQueue(sessionId, ports)
    return await store.queue.list(sessionId)
  }

  /** A queue whose budget is spent continues when a person raises it. */
  async function mayStart(session: Session): Promise<boolean> {
    return session.archivedAt === null && (await ports.budgets.reached(session)) === null
  }

  async function resumeQueue(sessionId: string): Promise<FiredRun | null> {
    return (await canResume(sessionId)) ? await drain(sessionId) : null
  }

  async function canResume(sessionId: string): Promise<boolean> {
    const queue = await store.queue.list(sessionId)
    return queue.length > 0 && !isQueuePaused(await readLastTurn(sessionId, store), queue)
  }

  return { drain, resumeQueue, endSteering }
}

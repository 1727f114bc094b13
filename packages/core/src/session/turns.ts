import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { toChatMessage } from '../domain/message.ts'
import type { RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import type { RunPolicy } from '../run/execute-run.ts'
import { announceQueue } from './announce.ts'
import { createCarryOut } from './carry-out.ts'
import type { CoreSettings } from './core-ports.ts'
import { announceChange } from './history/perform.ts'
import { type PlannedRewind, rewindFor } from './history/rewinding.ts'
import { openRunFiles } from './history/run-files.ts'
import { fitForQueued } from './history/switching.ts'
import { closeRun, recoverRuns } from './recovery.ts'
import type { FiredRun, TurnPorts, TurnReply, TurnStart, Turns } from './turn-types.ts'
import { createTurnstile } from './turnstile.ts'
import { workspaceOf } from './workspace-of.ts'

/** Begins turns, each in a session that is claimed for it, and goes on with what waits. */
export function createTurns(ports: TurnPorts, settings: CoreSettings, policy: RunPolicy): Turns {
  const { store, events, clock, coordinator, background, logger } = ports
  /** What a turn does at its start and its end takes long beside a chunk: those that stream don’t wait for a crowd. */
  const pass = createTurnstile(clock)
  /** This host's claims in the store. One that outlives its run is one whose end could not be written. */
  const leases = new Map<string, { lease: RunLease; messageId: string }>()
  const carryOut = createCarryOut(ports, settings, policy, {
    pass,
    onSettled: (sessionId) => void leases.delete(sessionId),
    onDone: (sessionId) => {
      drain(sessionId).catch((error: unknown) =>
        logger.error({ error, sessionId }, 'The queue could not go on'),
      )
    },
  })

  async function start(turn: TurnStart): Promise<FiredRun | null> {
    const { session, runId } = turn
    const sessionId = session.id
    const messageId = createId('msg')
    const claim = coordinator.claim(sessionId, { runId, messageId })
    const lease = { runId, sessionId, startedAt: clock.now() }
    // Whoever has just heard of the run may attach to it at once.
    const live = ports.live.open(lease)
    let begun: RunBeginning | null = null
    const gitStatus = lookAtFiles(turn)
    try {
      await pass()
      const planned = turn.rewind === undefined ? null : await rewindFor(session, turn.rewind, ports)
      const files = await openRunFiles(session, planned?.files ?? null, ports.workspace)
      begun = await begin(await withChange(files.noted(turn.trigger), planned), lease)
      if (begun === null) return null
      claim.begin()
      leases.set(sessionId, { lease, messageId })
      announceBegin(turn, begun, planned)
      void carryOut(turn, claim, { messageId, live, files, gitStatus }, begun)
      return { runId, messageId: begun.message?.id ?? null }
    } finally {
      if (begun === null) {
        live.end()
        claim.release()
      }
    }
  }

  /** The trigger with the rewind that goes with it in one transaction. What waits in the queue is found there. */
  async function withChange(trigger: RunTrigger, planned: PlannedRewind | null): Promise<RunTrigger> {
    if (planned === null) return trigger
    if (trigger.type !== 'queued') return { ...trigger, change: planned.change }
    await store.history.apply(planned.change)
    return trigger
  }

  async function begin(trigger: RunTrigger, lease: RunLease) {
    try {
      return await store.runs.begin(lease, trigger)
    } catch (error) {
      // This process holds the session's only claim, so a claim in the store is one that nobody carries out any more.
      const stale =
        error instanceof AppError && error.code === 'SESSION_BUSY' && (await closeStale(lease.sessionId))
      if (!stale) throw error
      return await store.runs.begin(lease, trigger)
    }
  }

  async function closeStale(sessionId: string): Promise<boolean> {
    const own = leases.get(sessionId)
    if (own === undefined) return (await recoverRuns(ports, sessionId)) > 0
    await closeRun(own.lease, await store.messages.get(sessionId, own.messageId), ports)
    leases.delete(sessionId)
    return true
  }

  function announceBegin(
    { session: { id: sessionId }, trigger }: TurnStart,
    begun: RunBeginning,
    planned: PlannedRewind | null,
  ) {
    if (planned !== null) {
      const { change, outline } = planned
      background.start('announce', () => announceChange(change.operation, outline, begun.session, ports))
    }
    if (begun.message !== null) {
      events.publish({ type: 'message-added', sessionId, message: toChatMessage(begun.message) })
    }
    if (trigger.type === 'queued') background.start('announce', () => announceQueue(sessionId, ports))
  }

  /** Begins to look while the turn is being stored, unless it moves files before it asks the model. */
  function lookAtFiles({ session, rewind }: TurnStart): TurnReply['gitStatus'] {
    const look = async () => {
      const root = await workspaceOf(session, ports.workspaces)
      return root === null ? null : await settings.gitStatus(root)
    }
    if (rewind !== undefined) return look
    const looking = look()
    return () => looking
  }

  async function drain(sessionId: string, messageId?: string): Promise<FiredRun | null> {
    await coordinator.whenNotHeld(sessionId)
    if (coordinator.closed || coordinator.active(sessionId) !== null) return null
    const queue = await store.queue.list(sessionId)
    const next = queue.find(({ id }) => messageId === undefined || id === messageId)
    const session = next === undefined ? null : await store.sessions.get(sessionId)
    if (next === undefined || session === null || session.archivedAt !== null) return null
    const { variant: _, ...model } = session.model
    await fitForQueued(session, next, ports)
    await coordinator.whenNotHeld(sessionId)
    if (coordinator.active(sessionId) !== null) return null
    const agent = ports.agentOf(session.agent)
    // Which one is the earliest is decided where it fires: the one that was may be cancelled at this very moment.
    const trigger = { type: 'queued', messageId: messageId ?? null, model } as const
    const runId = createId('run')
    return await start({ session, runId, trigger, rewind: null, model, agent })
  }

  return { start, drain }
}

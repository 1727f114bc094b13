import { toModelView } from '../context/model-view.ts'
import { AppError, toAppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import { DEFAULT_TITLE, type Session } from '../domain/session.ts'
import type { LiveWriter, RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import type { Agent } from '../run/agent.ts'
import { executeRun, type RunPolicy, type RunResult } from '../run/execute-run.ts'
import type { RunEnd } from '../run/run-types.ts'
import { announceQueue, announceUsage } from './announce.ts'
import type { Background } from './background.ts'
import type { Claim } from './coordinator.ts'
import type { CoreSettings } from './core-ports.ts'
import type { Condenser } from './history/condenser.ts'
import { noteSwitch } from './history/note-switch.ts'
import { announceChange, type HistoryPorts } from './history/perform.ts'
import { type PlannedRewind, type RewindTarget, rewindFor } from './history/rewinding.ts'
import { createRoomKeeper } from './history/room-keeper.ts'
import { openRunFiles, type RunFiles } from './history/run-files.ts'
import { fitForQueued } from './history/switching.ts'
import { closeRun, recoverRuns } from './recovery.ts'
import { giveTitle } from './titles.ts'
import { createTurnstile } from './turnstile.ts'

export type TurnStart = {
  /** As it stood when the turn was asked for. */
  session: Session
  runId: string
  trigger: RunTrigger
  /**
   * The rewind that makes room for it, planned once the session is claimed; null for the one that an earlier rewind makes
   * necessary. Without it the conversation goes on as it stands.
   */
  rewind?: RewindTarget | null
  /** The model of the reply, unless the message that starts it names one. */
  model: ModelRef
  agent: Agent
  continues?: boolean
}

export type Turns = {
  /**
   * Claims the session, persists what starts the run, and runs it; resolves once it is persisted. Fails as
   * `RunStore.begin` does, and with `SESSION_BUSY` once the host stops. Null when the queue was asked for and is empty.
   */
  start(turn: TurnStart): Promise<FiredRun | null>
  /** Fires the queued message named, or the earliest one, unless the session is busy or nothing waits. */
  drain(sessionId: string, messageId?: string): Promise<FiredRun | null>
}

/** The message that a run writes, where it is streamed, the files that it works on and how those stand. */
type Reply = {
  messageId: string
  live: LiveWriter
  files: RunFiles
  gitStatus(): Promise<string | null>
}

/** A run that has begun; with the message that started it, unless it goes on from the conversation as it stood. */
export type FiredRun = { runId: string; messageId: string | null }

export type TurnPorts = HistoryPorts & {
  background: Background
  condenser: Condenser
  agents: ReadonlyMap<string, Agent>
  agentOf(id: string | undefined): Agent
}

export function createTurns(ports: TurnPorts, settings: CoreSettings, policy: RunPolicy): Turns {
  const { store, events, clock, coordinator, background, logger } = ports
  /** What a turn does at its start takes long beside a chunk: those that stream don't wait for a crowd that begins. */
  const pass = createTurnstile(clock)
  /** This host's claims in the store. One that outlives its run is one whose end could not be written. */
  const leases = new Map<string, { lease: RunLease; messageId: string }>()

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

  /** Never throws: whatever happens, the claim ends. */
  async function carryOut(turn: TurnStart, claim: Claim, reply: Reply, begun: RunBeginning): Promise<void> {
    const sessionId = turn.session.id
    const message = begun.message === null ? null : toChatMessage(begun.message)
    try {
      const result = await execute(turn, claim, reply, begun.session, message)
      if (result.end.error !== undefined) claim.apply({ type: 'failed', ...result.end.error })
      afterRun(turn, result, message)
    } catch (error) {
      logger.error({ error, sessionId, runId: turn.runId }, 'The run could not be carried out')
      const { code, message: reason } = toAppError(error)
      claim.apply({ type: 'failed', code, message: reason })
      reply.live.append([{ type: 'error', errorText: reason }])
    } finally {
      reply.live.end()
      claim.release()
    }
  }

  async function execute(
    turn: TurnStart,
    claim: Claim,
    { messageId, live, files, gitStatus }: Reply,
    session: Session,
    message: ChatMessage | null,
  ): Promise<RunResult> {
    const { runId } = turn
    const sessionId = session.id
    const agent = message?.metadata?.agent === undefined ? turn.agent : ports.agentOf(message.metadata.agent)
    const model = message?.metadata?.model ?? turn.model
    await pass()
    const visible = await store.messages.visible(sessionId)
    await noteSwitch({ session, runId, from: turn.session.model, to: model, visible }, ports)
    background.start('announce', () => announceUsage(session, ports, visible))
    const workspaceRoot = session.workspaceRoot ?? settings.workspaceRoot
    const plan = {
      runId,
      sessionId,
      agent,
      model,
      messageId,
      live,
      view: toModelView(visible),
      continues: turn.continues ?? false,
      signal: claim.signal,
      startedAt: clock.now(),
      toolContext: { sessionId, workspaceRoot, files: ports.files, clock },
      environment: async () => describeEnvironment(workspaceRoot, model, await gitStatus()),
    }
    await pass()
    return await executeRun(plan, ports, policy, {
      onStarting: files.begin,
      onStatus: claim.apply,
      onStep: (now) => background.start('announce', () => announceUsage(now, ports)),
      onSteered: () => background.start('announce', () => announceQueue(sessionId, ports)),
      onSettling: files.end,
      condense: (recorder) =>
        ports.condenser.watch({ session, runId, messageId, model, signal: claim.signal, recorder }),
      keepRoom: ({ open: { info }, signal }) =>
        createRoomKeeper({ session, runId, replyId: messageId, info, signal, visible }, ports),
      onSettled(end, settled) {
        onSettled(claim, end, settled)
        background.start('announce', async (signal) => {
          const window = await announceUsage(settled, ports)
          if (end.finishReason !== 'error') await ports.drafts.prepare(settled, window, signal)
        })
      },
    })
  }

  function onSettled(claim: Claim, { error }: RunEnd, session: Session) {
    leases.delete(session.id)
    if (error !== undefined) claim.apply({ type: 'failed', ...error })
    claim.release()
  }

  function afterRun({ session }: TurnStart, { end, message }: RunResult, first: ChatMessage | null) {
    const { id: sessionId, title } = session
    if (message !== null) events.publish({ type: 'message-settled', sessionId, message })
    if (end.error === undefined && !coordinator.closed) {
      drain(sessionId).catch((error: unknown) =>
        logger.error({ error, sessionId }, 'The queue could not go on'),
      )
    }
    if (first !== null && title === DEFAULT_TITLE) {
      background.start('title', async (signal) => {
        const session = await store.sessions.get(sessionId)
        if (session !== null) await giveTitle(session, first, end, ports, signal)
      })
    }
  }

  /** Begins to look while the turn is being stored, unless it moves files before it asks the model. */
  function lookAtFiles({ session, rewind }: TurnStart): Reply['gitStatus'] {
    const look = () => settings.gitStatus(session.workspaceRoot ?? settings.workspaceRoot)
    if (rewind !== undefined) return look
    const looking = look()
    return () => looking
  }

  function describeEnvironment(workspaceRoot: string, model: ModelRef, gitStatus: string | null) {
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    return { platform: settings.platform, workspaceRoot, gitStatus, date, model }
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

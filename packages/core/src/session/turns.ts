import { AppError, toAppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import type { Session } from '../domain/session.ts'
import type { RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import type { Agent } from '../run/agent.ts'
import { executeRun, type RunPolicy, type RunResult } from '../run/execute-run.ts'
import type { RunEnd } from '../run/run-types.ts'
import { announceQueue, announceUsage } from './announce.ts'
import type { Background } from './background.ts'
import type { Claim, Coordinator } from './coordinator.ts'
import type { CorePorts, CoreSettings } from './core-ports.ts'
import { closeRun, recoverRuns } from './recovery.ts'
import { giveTitle } from './titles.ts'

export type TurnStart = {
  sessionId: string
  runId: string
  trigger: RunTrigger
  /** The model of the reply, unless the message that starts it names one. */
  model: ModelRef
  agent: Agent
  continues?: boolean
}

export type Turns = {
  /**
   * Claims the session, persists what starts the run, and runs it; resolves once it is persisted. Fails as
   * `RunStore.begin` does, and with `SESSION_BUSY` once closed. Null when the queue was asked for and is empty.
   */
  start(turn: TurnStart): Promise<FiredRun | null>
  /** Fires the queued message named, or the earliest one, unless the session is busy or nothing waits. */
  drain(sessionId: string, messageId?: string): Promise<FiredRun | null>
  /** From now on nothing starts any more. */
  close(): void
  readonly closed: boolean
}

/** A run that has begun; with the message that started it, unless it goes on from the conversation as it stood. */
export type FiredRun = { runId: string; messageId: string | null }

export type TurnPorts = CorePorts & {
  coordinator: Coordinator
  background: Background
  agents: ReadonlyMap<string, Agent>
  agentOf(id: string | undefined): Agent
}

export function createTurns(ports: TurnPorts, settings: CoreSettings, policy: RunPolicy): Turns {
  const { store, events, clock, coordinator, background, logger } = ports
  /** This host's claims in the store. One that outlives its run is one whose end could not be written. */
  const leases = new Map<string, { lease: RunLease; messageId: string }>()
  let closed = false

  async function start(turn: TurnStart): Promise<FiredRun | null> {
    const { sessionId, runId } = turn
    if (closed) throw new AppError('SESSION_BUSY', 'The server is stopping and starts nothing new.')
    const claim = coordinator.claim(sessionId, { runId, messageId: createId('msg') })
    try {
      const lease = { runId, sessionId, startedAt: clock.now() }
      const begun = await begin(turn, lease)
      if (begun === null) {
        claim.release()
        return null
      }
      leases.set(sessionId, { lease, messageId: claim.messageId })
      announceBegin(turn, begun)
      void carryOut(turn, claim, begun)
      return { runId, messageId: begun.message?.id ?? null }
    } catch (error) {
      claim.release()
      throw error
    }
  }

  async function begin({ sessionId, trigger }: TurnStart, lease: RunLease) {
    try {
      return await store.runs.begin(lease, trigger)
    } catch (error) {
      // This process holds the session's only claim, so a claim in the store is one that nobody carries out any more.
      const stale =
        error instanceof AppError && error.code === 'SESSION_BUSY' && (await closeStale(sessionId))
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

  function announceBegin({ sessionId, runId, trigger }: TurnStart, begun: RunBeginning) {
    if (begun.hidden.length > 0) {
      const hiddenBy = hidingOperation(trigger) ?? runId
      events.publish({ type: 'message-hidden', sessionId, messageIds: begun.hidden, hiddenBy })
    }
    if (begun.message !== null) {
      events.publish({ type: 'message-added', sessionId, message: toChatMessage(begun.message) })
    }
    if (trigger.type === 'queued') background.start('announce', () => announceQueue(sessionId, ports))
  }

  /** Never throws: whatever happens, the claim ends. */
  async function carryOut(turn: TurnStart, claim: Claim, begun: RunBeginning): Promise<void> {
    const { sessionId } = turn
    const message = begun.message === null ? null : toChatMessage(begun.message)
    try {
      const result = await execute(turn, claim, begun.session, message)
      if (result.end.error !== undefined) claim.apply({ type: 'failed', ...result.end.error })
      afterRun(turn, result, message)
    } catch (error) {
      logger.error({ error, sessionId, runId: turn.runId }, 'The run could not be carried out')
      const { code, message: reason } = toAppError(error)
      claim.apply({ type: 'failed', code, message: reason })
    } finally {
      claim.release()
    }
  }

  async function execute(
    turn: TurnStart,
    claim: Claim,
    session: Session,
    message: ChatMessage | null,
  ): Promise<RunResult> {
    const { sessionId, runId } = turn
    const agent = message?.metadata?.agent === undefined ? turn.agent : ports.agentOf(message.metadata.agent)
    const model = message?.metadata?.model ?? turn.model
    const history = (await store.messages.visible(sessionId)).map(toChatMessage)
    const announce = (now: Session, ...reply: ChatMessage[]) =>
      background.start('announce', () => announceUsage(now, ports, [...history, ...reply]))
    announce(session)
    const workspaceRoot = session.workspaceRoot ?? settings.workspaceRoot
    const plan = {
      runId,
      sessionId,
      agent,
      model,
      messageId: claim.messageId,
      history,
      continues: turn.continues ?? false,
      signal: claim.signal,
      startedAt: clock.now(),
      toolContext: { sessionId, workspaceRoot, files: ports.files, clock },
      environment: () => describeEnvironment(workspaceRoot, model),
    }
    return await executeRun(plan, ports, policy, {
      onStatus: claim.apply,
      onStep: announce,
      takeSteering: () => takeSteering(sessionId, runId),
      onSettled(end, settled, reply) {
        onSettled(claim, end, settled)
        announce(settled, reply)
      },
    })
  }

  function onSettled(claim: Claim, { error }: RunEnd, session: Session) {
    leases.delete(session.id)
    if (error !== undefined) claim.apply({ type: 'failed', ...error })
    claim.release()
  }

  function afterRun({ sessionId }: TurnStart, { end, message }: RunResult, first: ChatMessage | null) {
    if (message !== null) events.publish({ type: 'message-settled', sessionId, message })
    if (end.error === undefined && !closed) {
      drain(sessionId).catch((error: unknown) =>
        logger.error({ error, sessionId }, 'The queue could not go on'),
      )
    }
    if (first === null) return
    background.start('title', async (signal) => {
      const session = await store.sessions.get(sessionId)
      if (session !== null) await giveTitle(session, first, end, ports, signal)
    })
  }

  async function takeSteering(sessionId: string, runId: string): Promise<ChatMessage[]> {
    const taken = await store.queue.takeSteering(sessionId, runId, clock.now())
    if (taken.length > 0) await announceQueue(sessionId, ports)
    return taken.map(toChatMessage)
  }

  async function describeEnvironment(workspaceRoot: string, model: ModelRef) {
    const gitStatus = await settings.gitStatus(workspaceRoot)
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    return { platform: settings.platform, workspaceRoot, gitStatus, date, model }
  }

  async function drain(sessionId: string, messageId?: string): Promise<FiredRun | null> {
    if (closed || coordinator.active(sessionId) !== null) return null
    const [queue, session] = await Promise.all([store.queue.list(sessionId), store.sessions.get(sessionId)])
    const waits = messageId === undefined ? queue.length > 0 : queue.some(({ id }) => id === messageId)
    if (!waits || session === null || session.archivedAt !== null) return null
    if (coordinator.active(sessionId) !== null) return null
    const agent = ports.agentOf(session.agent)
    // Which one is the earliest is decided where it fires: the one that was may be cancelled at this very moment.
    const trigger = { type: 'queued', messageId: messageId ?? null } as const
    return await start({ sessionId, runId: createId('run'), trigger, model: session.model, agent })
  }

  return {
    start,
    drain,
    close() {
      closed = true
    },
    get closed() {
      return closed
    },
  }
}

function hidingOperation(trigger: RunTrigger): string | undefined {
  switch (trigger.type) {
    case 'message':
      return trigger.replaces?.operationId
    case 'existing':
      return trigger.after?.operationId
    case 'queued':
      return undefined
  }
}

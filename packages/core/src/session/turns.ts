import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import type { Session } from '../domain/session.ts'
import type { RunTrigger } from '../ports/index.ts'
import type { Agent } from '../run/agent.ts'
import { executeRun, type RunPolicy, type RunResult } from '../run/execute-run.ts'
import type { RunEnd } from '../run/run-types.ts'
import { announceQueue, announceUsage } from './announce.ts'
import type { Background } from './background.ts'
import type { Claim, Coordinator } from './coordinator.ts'
import type { CorePorts, CoreSettings } from './core-ports.ts'
import { recoverRuns } from './recovery.ts'
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
   * `RunStore.begin` does. Null when the queue was asked for and is empty.
   */
  start(turn: TurnStart): Promise<{ runId: string } | null>
  /** Fires the queued message named, or the earliest one, unless the session is busy or nothing waits. */
  drain(sessionId: string, messageId?: string): Promise<{ runId: string } | null>
  /** From now on nothing starts any more. */
  close(): void
  readonly closed: boolean
}

export type TurnPorts = CorePorts & {
  coordinator: Coordinator
  background: Background
  agents: ReadonlyMap<string, Agent>
  agentOf(id: string | undefined): Agent
}

export function createTurns(ports: TurnPorts, settings: CoreSettings, policy: RunPolicy): Turns {
  const { store, events, clock, coordinator, background, logger } = ports
  let closed = false

  async function start(turn: TurnStart): Promise<{ runId: string } | null> {
    const { sessionId, runId } = turn
    const claim = coordinator.claim(sessionId, { runId, messageId: createId('msg') })
    try {
      const begun = await begin(turn, clock.now())
      if (begun === null) {
        claim.release()
        return null
      }
      announceBegin(turn, begun)
      void carryOut(turn, claim, begun.message === null ? null : toChatMessage(begun.message))
      return { runId }
    } catch (error) {
      claim.release()
      throw error
    }
  }

  async function begin({ sessionId, runId, trigger }: TurnStart, startedAt: number) {
    const lease = { runId, sessionId, startedAt }
    try {
      return await store.runs.begin(lease, trigger)
    } catch (error) {
      // This process holds the session's only claim, so a claim in the store is one whose end could not be written.
      const stale =
        error instanceof AppError &&
        error.code === 'SESSION_BUSY' &&
        (await recoverRuns(ports, sessionId)) > 0
      if (!stale) throw error
      return await store.runs.begin(lease, trigger)
    }
  }

  function announceBegin(
    { sessionId, runId, trigger }: TurnStart,
    begun: NonNullable<Awaited<ReturnType<typeof begin>>>,
  ) {
    if (begun.hidden.length > 0) {
      events.publish({ type: 'message-hidden', sessionId, messageIds: begun.hidden, hiddenBy: runId })
    }
    if (begun.message !== null) {
      events.publish({ type: 'message-added', sessionId, message: toChatMessage(begun.message) })
    }
    background.start('announce', async () => {
      if (trigger.type === 'queued') await announceQueue(sessionId, ports)
      const session = await store.sessions.get(sessionId)
      if (session !== null) await announceUsage(session, ports)
    })
  }

  /** Never throws: whatever happens, the claim ends. */
  async function carryOut(turn: TurnStart, claim: Claim, message: ChatMessage | null): Promise<void> {
    const { sessionId } = turn
    try {
      const result = await execute(turn, claim, message)
      afterRun(turn, result, message)
    } catch (error) {
      logger.error({ error, sessionId, runId: turn.runId }, 'The run could not be carried out')
      claim.apply({ type: 'failed', code: 'INTERNAL', message: 'Something went wrong inside the server.' })
    } finally {
      claim.release()
    }
  }

  async function execute(turn: TurnStart, claim: Claim, message: ChatMessage | null): Promise<RunResult> {
    const { sessionId, runId, agent } = turn
    const model = message?.metadata?.model ?? turn.model
    const [history, session] = await Promise.all([
      store.messages.visible(sessionId),
      store.sessions.get(sessionId),
    ])
    const workspaceRoot = session?.workspaceRoot ?? settings.workspaceRoot
    const plan = {
      runId,
      sessionId,
      agent,
      model,
      messageId: claim.messageId,
      history: history.map(toChatMessage),
      continues: turn.continues ?? false,
      signal: claim.signal,
      startedAt: clock.now(),
      toolContext: { sessionId, workspaceRoot, files: ports.files, clock },
      environment: () => describeEnvironment(workspaceRoot, model),
    }
    return await executeRun(plan, ports, policy, {
      onStatus: claim.apply,
      onStep: (stepped) => background.start('announce', () => announceUsage(stepped, ports)),
      takeSteering: () => takeSteering(sessionId, runId),
      onSettled: (end, settled) => onSettled(claim, end, settled),
    })
  }

  function onSettled(claim: Claim, { error }: RunEnd, session: Session) {
    if (error !== undefined) claim.apply({ type: 'failed', ...error })
    claim.release()
    background.start('announce', () => announceUsage(session, ports))
  }

  function afterRun({ sessionId }: TurnStart, { end, message }: RunResult, first: ChatMessage | null) {
    if (message !== null) events.publish({ type: 'message-settled', sessionId, message })
    if (end.error === undefined && !closed) {
      drain(sessionId).catch((error: unknown) =>
        logger.error({ error, sessionId }, 'The queue could not go on'),
      )
    }
    if (first === null || end.finishReason === 'error') return
    background.start('title', async (signal) => {
      const session = await store.sessions.get(sessionId)
      if (session !== null) await giveTitle(session, first, ports, signal)
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

  async function drain(sessionId: string, messageId?: string): Promise<{ runId: string } | null> {
    if (closed || coordinator.active(sessionId) !== null) return null
    const [queue, session] = await Promise.all([store.queue.list(sessionId), store.sessions.get(sessionId)])
    const next = messageId === undefined ? queue[0] : queue.find(({ id }) => id === messageId)
    if (next === undefined || session === null || session.archivedAt !== null) return null
    if (coordinator.active(sessionId) !== null) return null
    const agent = ports.agentOf(next.metadata.agent ?? session.agent)
    const trigger = { type: 'queued', messageId: next.id } as const
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

import { toModelView } from '../context/model-view.ts'
import { toAppError } from '../domain/errors.ts'
import { type ChatMessage, toChatMessage } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import { DEFAULT_TITLE, type Session } from '../domain/session.ts'
import type { RunBeginning } from '../ports/index.ts'
import { executeRun, type RunPolicy, type RunResult } from '../run/execute-run.ts'
import type { RunEnd } from '../run/run-types.ts'
import { announceQueue, announceUsage } from './announce.ts'
import type { Claim } from './coordinator.ts'
import type { CoreSettings } from './core-ports.ts'
import { noteSwitch } from './history/note-switch.ts'
import { createRoomKeeper } from './history/room-keeper.ts'
import { giveTitle } from './titles.ts'
import type { TurnPorts, TurnReply, TurnStart } from './turn-types.ts'
import { workspaceOf } from './workspace-of.ts'

export type CarryOut = (turn: TurnStart, claim: Claim, reply: TurnReply, begun: RunBeginning) => Promise<void>

export type CarryOutHooks = {
  /** Waits among those that begin and those that end. */
  pass(): Promise<void>
  /** The run's end is in the store. */
  onSettled(sessionId: string): void
  /** It is over, and went well. */
  onDone(sessionId: string): void
}

/** Carries turns out that have begun: what their runs need, what is told meanwhile, and what is left to do after them. */
export function createCarryOut(
  ports: TurnPorts,
  settings: CoreSettings,
  policy: RunPolicy,
  hooks: CarryOutHooks,
): CarryOut {
  const { store, events, clock, coordinator, background, logger } = ports

  /** Never throws: whatever happens, the claim ends. */
  async function carryOut(
    turn: TurnStart,
    claim: Claim,
    reply: TurnReply,
    begun: RunBeginning,
  ): Promise<void> {
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
    { messageId, live, files, gitStatus }: TurnReply,
    session: Session,
    message: ChatMessage | null,
  ): Promise<RunResult> {
    const { runId } = turn
    const sessionId = session.id
    const agent = message?.metadata?.agent === undefined ? turn.agent : ports.agentOf(message.metadata.agent)
    const model = message?.metadata?.model ?? turn.model
    await hooks.pass()
    const visible = await store.messages.visible(sessionId)
    await noteSwitch({ session, runId, from: turn.session.model, to: model, visible }, ports)
    background.start('announce', () => announceUsage(session, ports, visible))
    const workspaceRoot = await workspaceOf(session, ports.workspaces)
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
    await hooks.pass()
    return await executeRun(plan, ports, policy, {
      onStarting: files.begin,
      onStatus: claim.apply,
      onStep: (now) => background.start('announce', () => announceUsage(now, ports)),
      onSteered: () => background.start('announce', () => announceQueue(sessionId, ports)),
      async onSettling() {
        await hooks.pass()
        return await files.end()
      },
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
    hooks.onSettled(session.id)
    if (error !== undefined) claim.apply({ type: 'failed', ...error })
    claim.release()
  }

  function afterRun({ session }: TurnStart, { end, message }: RunResult, first: ChatMessage | null) {
    const { id: sessionId, title } = session
    if (message !== null) events.publish({ type: 'message-settled', sessionId, message })
    if (end.error === undefined && !coordinator.closed) hooks.onDone(sessionId)
    if (first !== null && title === DEFAULT_TITLE) {
      background.start('title', async (signal) => {
        const session = await store.sessions.get(sessionId)
        if (session !== null) await giveTitle(session, first, end, ports, signal)
      })
    }
  }

  function describeEnvironment(workspaceRoot: string | null, model: ModelRef, gitStatus: string | null) {
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    return { platform: settings.platform, workspaceRoot, gitStatus, date, model }
  }

  return carryOut
}

import { AppError, toAppError } from '../domain/errors.ts'
import { ABORTED_BY_PARENT, failed, SUBAGENT_NOT_STARTED } from '../domain/message/task-end.ts'
import type { TaskEnd } from '../domain/permission/ask.ts'
import { createDelivery } from './deliver-results.ts'
import { noteTaskEnd, tasksOf } from './make-calls.ts'
import type { StartTurn, TurnPorts } from './run-state.ts'
import { startChild } from './start-child.ts'
import type { Subagents } from './subagent-control.ts'

/** Milliseconds between two attempts to store the end of a subagent. */
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000

const ABORTED = failed(ABORTED_BY_PARENT)

type TurnControl = {
  start: StartTurn
  resume(sessionId: string): Promise<boolean>
  stop(sessionId: string, options: { pauseQueue: true }): Promise<boolean>
}

export function createSubagents(ports: TurnPorts, turns: TurnControl): Subagents {
  const { store, clock, coordinator, background, logger } = ports
  const deliver = createDelivery(ports)

  /** Stores the end until it is stored, then resumes the run that has waited for it. */
  async function report(askId: string, parentId: string, end: TaskEnd, signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      try {
        await store.asks.reply(askId, { type: 'ended', ...end }, clock.now())
        break
      } catch (error) {
        // It was stored before, or the run that waited has ended.
        if (error instanceof AppError && error.code !== 'STORE_ERROR') return
        logger.warn({ error, askId }, 'The end of a subagent could not be stored yet')
        await clock.sleep(wait, signal)
      }
    }
    await turns.resume(parentId)
  }

  /** The subagents of a session that are on, without those that another one of them ends. */
  function topmost(sessionId: string): string[] {
    const below = coordinator.subagents(sessionId)
    const on = new Set(below.map((one) => one.sessionId))
    return below.flatMap((one) => (on.has(one.parentId ?? '') ? [] : [one.sessionId]))
  }

  async function stopEach(sessionIds: readonly string[]): Promise<void> {
    await Promise.all(sessionIds.map((id) => turns.stop(id, { pauseQueue: true })))
  }

  return {
    async start(run, ask) {
      if (ask.request.kind !== 'task') return
      try {
        await startChild(run, ask.request.task, ask.id, ports, turns.start)
      } catch (error) {
        logger.warn({ error, sessionId: run.sessionId, runId: run.runId }, 'A subagent could not be started')
        const end = failed(`${SUBAGENT_NOT_STARTED}${toAppError(error).message}`)
        background.start('task', (signal) => report(ask.id, run.sessionId, end, signal))
      }
    },

    async startInBackground(run, toolCallId, task) {
      const { sessionId, agent } = task
      try {
        await startChild(run, task, null, ports, turns.start)
      } catch (error) {
        const errorText = `${SUBAGENT_NOT_STARTED}${toAppError(error).message}`
        return { type: 'tool-output-error', toolCallId, errorText }
      }
      const text = `The subagent works in the background; its result comes into the conversation later.\n\nSession of the subagent: ${sessionId}`
      const data = { sessionId, agent, background: true }
      const output = { type: 'output', text, data, metadata: { duration_ms: 0 } }
      return { type: 'tool-output-available', toolCallId, output }
    },

    async end(run, outcome) {
      if (outcome.type === 'finished') return
      try {
        const asks = await tasksOf(run, store)
        const open = asks.flatMap(({ request, reply }) =>
          request.kind === 'task' && reply === null ? [request.task.sessionId] : [],
        )
        await stopEach(outcome.type === 'aborted' ? topmost(run.sessionId) : open)
        for (const ask of asks) {
          const end = ask.reply?.type === 'ended' ? ask.reply : ABORTED
          noteTaskEnd(run, ask, end, clock.now())
        }
      } catch (error) {
        const { sessionId, runId } = run
        logger.error({ error, sessionId, runId }, 'The subagents of a run could not be ended')
      }
    },

    waits(sessionId, on) {
      if (on === 'task') background.start('resume', () => turns.resume(sessionId))
    },

    ended({ id, metadata: { subagent }, parentId }, end) {
      background.start('deliver', () => deliver(id))
      if (subagent === undefined || parentId === null) return
      const { askId } = subagent
      if (askId === null) background.start('deliver', () => deliver(parentId))
      else background.start('task', (signal) => report(askId, parentId, end, signal))
    },

    async stopAll(sessionId) {
      const below = topmost(sessionId)
      await stopEach(below)
      return below.length > 0
    },

    deliver,
  }
}

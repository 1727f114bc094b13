import { AppError, levelOf, toAppError } from '../domain/errors.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import { failed, SUBAGENT_FAILED, taskEndOf } from '../domain/message/task-end.ts'
import type { TaskEnd } from '../domain/permission/ask.ts'
import type { Session } from '../domain/session/session.ts'
import { announceUsage, resolvedEvents } from '../history/apply/announce.ts'
import type { Clock, Logger, SessionSpending } from '../ports/index.ts'
import { startChunk } from './ask-model.ts'
import { openAsksOf } from './make-calls.ts'
import { withParsedInputs } from './partial-input.ts'
import { finishReasonOf, type RunEnd } from './run-outcome.ts'
import type { BegunTurn, RunPolicy, RunState, TurnPorts } from './run-state.ts'
import { errorChunk, terminalChunks } from './terminal-chunks.ts'

type Failed = Extract<RunEnd, { type: 'failed' }>

/** The outcome of a run that `cause` has ended. */
export function failRun(
  { runId, sessionId }: RunState,
  cause: unknown,
  fallback: 'STORE_ERROR' | 'INTERNAL',
  logger: Logger,
): Failed {
  const level = fallback === 'STORE_ERROR' ? 'error' : levelOf(cause)
  logger[level]({ error: cause, runId, sessionId }, 'The run failed')
  const { code, message } = toAppError(cause, fallback)
  return { type: 'failed', error: { code, message } }
}

/** Milliseconds that the run has worked, without those that it has waited for a person. */
export function workedMs({ begunAt, workedBefore }: RunState, clock: Clock): number {
  return workedBefore + clock.elapsed() - begunAt
}

type Settle = (run: RunState, turn: BegunTurn, outcome: RunEnd) => Promise<RunEnd>

export function createSettle(ports: TurnPorts, policy: RunPolicy): Settle {
  const { store, events, clock, claims, background, budgets, logger } = ports

  /**
   * Stores the end of the run and its claim in one transaction, frees the session, then publishes the terminal chunk.
   * Returns the outcome as it was published: a run whose end cannot be stored has failed.
   */
  async function settle(run: RunState, { lease }: BegunTurn, outcome: RunEnd): Promise<RunEnd> {
    const { sessionId, runId, messageId, recorder, condensing, live, ledger } = run
    ledger.stopTime()
    const durationMs = workedMs(run, clock)
    const unanswered = await openAsksOf(run, store).catch(() => [])
    const noted = {
      ...(run.claim.pausesQueue && { pausedQueue: true as const }),
      // After a restart, its subagents in the background still draw from it.
      ...(budgets.isShared(sessionId, runId) && { spent: ledger.own }),
    }
    condensing.close('ends')
    const opening = recorder.begun ? [] : [startChunk(run)]
    try {
      await recorder.commit(
        [...opening, ...terminalChunks(outcome, recorder, durationMs, noted)],
        async (write) => {
          const end = (spent: SessionSpending[]) => store.runs.end(lease, { ...write, spent }, clock.now())
          const session = await ledger.save(end)
          claims.remove(sessionId)
          free(run, outcome, session)
          for (const event of unanswered.flatMap(resolvedEvents)) events.publish(event)
          for (const { request } of unanswered)
            if (request.kind === 'answer' && request.form) ports.mcpHub?.abandon(request.form)
        },
      )
    } catch (error) {
      const lost = lostEnd(run, error)
      // Another host has taken the run over and writes how the reply ended.
      const fenced = error instanceof AppError && error.code === 'SESSION_NOT_RUNNING'
      live.append(fenced ? [errorChunk(lost.error)] : terminalChunks(lost, recorder, durationMs, noted))
      run.claim.apply({ type: 'failed', ...lost.error })
      return lost
    }
    const facts = { sessionId, runId, messageId, finishReason: finishReasonOf(outcome), durationMs }
    ports.hookRunner.report('turn.end', { ...facts, spent: { ...ledger.spent } })
    const message: ChatMessage = await withParsedInputs(recorder.message)
    events.publish({ type: 'message-settled', sessionId, message })
    return outcome
  }

  /** Frees the session before the last chunk is published, so that a viewer of the end can send at once. */
  function free({ claim }: RunState, outcome: RunEnd, session: Session): void {
    if (outcome.type === 'failed') claim.apply({ type: 'failed', ...outcome.error })
    claim.release()
    background.start('announce', async (signal) => {
      const window = await announceUsage(session, ports)
      if (outcome.type !== 'failed') await ports.drafts.prepare(session, window, signal)
    })
  }

  /** The outcome of a run whose end could not be stored; names what was shown and is not saved. */
  function lostEnd(run: RunState, cause: unknown): Extract<RunEnd, { type: 'failed' }> {
    const { error, type } = failRun(run, cause, 'STORE_ERROR', logger)
    if (policy.savePolicy === 'chunk') return { type, error }
    const message = `${error.message} What was shown since the last save is not stored.`
    return { type, error: { ...error, message } }
  }

  return settle
}

/** How a run has ended, for the run that started it as a subagent. */
export function endOf({ recorder }: Pick<RunState, 'recorder'>, settled: RunEnd): TaskEnd {
  if (settled.type === 'failed') return failed(`${SUBAGENT_FAILED}${settled.error.message}`)
  const { parts, metadata } = recorder.message
  return taskEndOf({ metadata: { ...metadata, finishReason: finishReasonOf(settled) }, parts })
}

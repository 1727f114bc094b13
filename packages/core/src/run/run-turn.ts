import { AppError, toAppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { isQueuePaused } from '../domain/last-turn-message.ts'
import type { ChatChunk, ChatMessage } from '../domain/message.ts'
import type { Session } from '../domain/session.ts'
import { openRunFiles } from '../history/files/run-files.ts'
import { announceQueue, announceUsage } from '../history/operation/announce.ts'
import { rewindFor } from '../history/rewind/rewind.ts'
import { ensureFitForQueued } from '../history/switching/switch-model.ts'
import type { RunLease, RunTrigger } from '../ports/index.ts'
import { digestOf } from '../prompt/digest.ts'
import { createFairQueue } from '../state/fair-queue.ts'
import { ABORTED_STEP, afterStep, firstStep, type NextStep, type StepState } from './after-step.ts'
import { announceBegin, announceRun } from './announce-turn.ts'
import { askModel, type StepOutcome, startChunk } from './ask-model.ts'
import { withParsedInputs } from './partial-input.ts'
import type { Prompt } from './prompt.ts'
import { readLastTurn } from './read-last-turn.ts'
import type { RunOutcome } from './run-outcome.ts'
import {
  type BegunTurn,
  type Conversation,
  openConversation,
  openRun,
  type RunPolicy,
  type RunSettings,
  type RunState,
  readPlace,
  type TurnPorts,
  type TurnStart,
} from './run-state.ts'
import { stepRecord } from './step-record.ts'
import { terminalChunks } from './terminal-chunks.ts'
import { titleSession } from './title.ts'

/** A run that has begun; with the message that started it, unless it continues the conversation as it is. */
export type FiredRun = { runId: string; messageId: string | null }

export type Turns = {
  /**
   * Claims the session, stores what starts the run, and runs it; resolves once it is stored. Fails as `RunStore.begin` does,
   * and with `SESSION_BUSY` once the host stops. Null when the trigger is the queue and it is empty.
   */
  start(turn: TurnStart): Promise<FiredRun | null>
  /**
   * Fires the queued message named, or the earliest one, unless the session is busy or nothing is queued. On a host that
   * stops, the next one continues the queue when it starts.
   */
  drain(sessionId: string, messageId?: string): Promise<FiredRun | null>
  /** Fires the earliest queued message unless a failure has paused the queue. */
  resumeQueue(sessionId: string): Promise<FiredRun | null>
}

/** Runs turns, from the claim of a session to its drained queue. The steps of one turn are in this file from top to bottom. */
export function createTurns(ports: TurnPorts, settings: RunSettings, policy: RunPolicy): Turns {
  const { store, events, clock, coordinator, claims, background, logger } = ports
  /** Starts and ends of runs take long compared with a chunk: one at a time, so that streaming runs are not delayed. */
  const inTurn = createFairQueue(clock)

  async function start(turn: TurnStart): Promise<FiredRun | null> {
    const { session, runId } = turn
    const sessionId = session.id
    const messageId = createId('msg')
    const claim = coordinator.claim(sessionId, { runId, messageId })
    const lease = { runId, sessionId, startedAt: clock.now() }
    // Open before the claim is announced: a viewer may attach at once.
    const live = ports.live.open(lease)
    let begunTurn: BegunTurn | null = null
    try {
      await inTurn()
      const planned = turn.rewind === undefined ? null : await rewindFor(session, turn.rewind, ports)
      const plan = planned?.files ?? null
      const place = readPlace(turn, plan, ports, settings)
      const files = await openRunFiles(session, plan, ports.workspace)
      const trigger = files.noted({ ...turn.trigger, ...(planned && { change: planned.change }) })
      const begun = await begin(trigger, lease)
      if (begun === null) return null
      begunTurn = { start: turn, claim, lease, live, files, begun, messageId, place }
      claim.begin()
      claims.add(lease, messageId)
      announceBegin(begunTurn, planned, ports)
      void runTurn(begunTurn)
      return { runId, messageId: begun.message?.id ?? null }
    } finally {
      if (begunTurn === null) {
        live.end()
        claim.release()
      }
    }
  }

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

  /** Runs a begun turn to its end. Never throws: whatever happens, the claim ends. */
  async function runTurn(turn: BegunTurn): Promise<void> {
    const { start: asked, begun, claim, live } = turn
    const sessionId = begun.session.id
    try {
      await inTurn()
      const run = await openRun(turn, ports, policy.savePolicy)
      await announceRun(run, asked.session, ports)
      await inTurn()
      const outcome = await outcomeOf(run, runSteps(run, turn))
      const settled = await settle(run, turn, outcome)
      if (settled.type !== 'failed' && !coordinator.closed) drainLater(sessionId)
      titleSession(run, settled, asked.session, ports)
    } catch (error) {
      logger.error({ error, sessionId, runId: asked.runId }, 'The run could not be carried out')
      const { code, message } = toAppError(error)
      claim.apply({ type: 'failed', code, message })
      live.append([{ type: 'error', errorText: message }])
    } finally {
      live.end()
      claim.release()
      claims.endLater(sessionId)
    }
  }

  /** One step after the other, until the reply is complete. */
  async function runSteps(run: RunState, turn: BegunTurn): Promise<RunOutcome> {
    await turn.files.begin()
    const conversation = await openConversation(run, turn.place, ports, settings)
    let state: StepState = firstStep(run)
    for (;;) {
      const next = await runStep(run, conversation, state)
      if (next.type === 'end') return next.outcome
      state = next.state
    }
  }

  /** One model call with the tool calls that it asks for. */
  async function runStep(
    run: RunState,
    { prompt, window }: Conversation,
    state: StepState,
  ): Promise<NextStep> {
    const { signal, recorder, agent } = run
    if (signal.aborted) return ABORTED_STEP
    if (state.step > 1) await takeSteering(run)
    const capacity = await window.ensureCapacity(state.step, nextRequest(prompt, recorder.message))
    if (signal.aborted) return ABORTED_STEP
    if (capacity.type === 'failed') return { type: 'end', outcome: capacity }
    prompt.apply(capacity)

    const answer = await askModel({ run, prompt, window, reminders: state.reminders }, ports, policy)
    if (answer.type === 'aborted') return ABORTED_STEP
    const session = await commitStep(run, prompt, answer)
    const next = afterStep(agent, state, answer)
    // The last step is published with the run's end.
    if (next.type === 'go-on' && session !== null)
      background.start('announce', () => announceUsage(session, ports))
    return next
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

  /** Stores parts, usage and system prompt of a step in one transaction; null when its provider never ended it. */
  async function commitStep(
    run: RunState,
    prompt: Prompt,
    { end }: Exclude<StepOutcome, { type: 'aborted' }>,
  ): Promise<Session | null> {
    if (end === null) return null
    const { model, recorder } = run
    const systemPrompt = { body: prompt.instructions, digest: await digestOf(prompt.instructions) }
    const { chunks, record } = stepRecord(run, prompt, recorder, end, systemPrompt)
    const opening: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
    return await recorder.commit([...opening, ...chunks], (write) =>
      store.runs.commitStep({ ...write, ...record, model }),
    )
  }

  /** The outcome of a run's steps; a failing store or host fails the run. */
  async function outcomeOf(run: RunState, steps: Promise<RunOutcome>): Promise<RunOutcome> {
    const outcome = await steps.catch((error: unknown) => failure(run, error, 'INTERNAL'))
    const { storeFailure } = run
    return storeFailure.aborted ? failure(run, storeFailure.reason, 'STORE_ERROR') : outcome
  }

  function failure({ runId, sessionId }: RunState, cause: unknown, fallback: 'STORE_ERROR' | 'INTERNAL') {
    logger.error({ error: cause, runId, sessionId }, 'The run failed')
    const { code, message } = toAppError(cause, fallback)
    return { type: 'failed', error: { code, message } } as const
  }

  /**
   * Stores the end of the run and its claim in one transaction, frees the session, then publishes the terminal chunk.
   * Returns the outcome as it was published: a run whose end cannot be stored has failed.
   */
  async function settle(
    run: RunState,
    { lease, files }: BegunTurn,
    outcome: RunOutcome,
  ): Promise<RunOutcome> {
    const { sessionId, recorder, condensing, live } = run
    const durationMs = clock.elapsed() - run.begunAt
    await inTurn()
    const noted = await files.end()
    condensing.close()
    const opening = recorder.begun ? [] : [startChunk(run)]
    try {
      await recorder.commit(
        [...opening, ...terminalChunks(outcome, recorder, durationMs, noted)],
        async (write) => {
          const session = await store.runs.end(lease, write, clock.now())
          claims.remove(sessionId)
          free(run, outcome, session)
        },
      )
    } catch (error) {
      const lost = lostEnd(run, error)
      // Another host has taken the run over and says how it ended.
      const fenced = error instanceof AppError && error.code === 'SESSION_NOT_RUNNING'
      if (!fenced) live.append(terminalChunks(lost, recorder, durationMs, noted))
      if (lost.type === 'failed') run.claim.apply({ type: 'failed', ...lost.error })
      return lost
    }
    const message: ChatMessage = await withParsedInputs(recorder.message)
    events.publish({ type: 'message-settled', sessionId, message })
    return outcome
  }

  /** Frees the session before the last chunk is published, so that a viewer of the end can send at once. */
  function free({ claim }: RunState, outcome: RunOutcome, session: Session): void {
    if (outcome.type === 'failed') claim.apply({ type: 'failed', ...outcome.error })
    claim.release()
    background.start('announce', async (signal) => {
      const window = await announceUsage(session, ports)
      if (outcome.type !== 'failed') await ports.drafts.prepare(session, window, signal)
    })
  }

  /** The outcome of a run whose end could not be stored; names what was shown and is not saved. */
  function lostEnd(run: RunState, cause: unknown): RunOutcome {
    const { error, type } = failure(run, cause, 'STORE_ERROR')
    if (policy.savePolicy === 'chunk') return { type, error }
    const message = `${error.message} What was shown since the last save is not stored.`
    return { type, error: { ...error, message } }
  }

  function drainLater(sessionId: string): void {
    drain(sessionId).catch((error: unknown) =>
      logger.error({ error, sessionId }, 'The queue could not continue'),
    )
  }

  async function drain(sessionId: string, messageId?: string): Promise<FiredRun | null> {
    await coordinator.whenNotHeld(sessionId)
    if (coordinator.active(sessionId) !== null) return null
    if (coordinator.closed) {
      if (await canResume(sessionId)) await store.queue.markForNextStart(sessionId)
      return null
    }
    const queue = await store.queue.list(sessionId)
    const next = queue.find(({ id }) => messageId === undefined || id === messageId)
    const session = next === undefined ? null : await store.sessions.get(sessionId)
    if (next === undefined || session === null || session.archivedAt !== null) return null
    const { variant: _, ...model } = session.model
    await ensureFitForQueued(session, next, ports)
    await coordinator.whenNotHeld(sessionId)
    if (coordinator.active(sessionId) !== null) return null
    const agent = ports.agentOf(session.agent)
    // The store decides which message is the earliest: the current one may be cancelled at the same moment.
    const trigger = { type: 'queued', messageId: messageId ?? null, model, change: null } as const
    const runId = createId('run')
    return await start({ session, runId, trigger, rewind: null, model, agent })
  }

  async function resumeQueue(sessionId: string): Promise<FiredRun | null> {
    return (await canResume(sessionId)) ? await drain(sessionId) : null
  }

  async function canResume(sessionId: string): Promise<boolean> {
    const queue = await store.queue.list(sessionId)
    return queue.length > 0 && !isQueuePaused(await readLastTurn(sessionId, store), queue)
  }

  return { start, drain, resumeQueue }
}

function nextRequest({ view, leftOut }: Prompt, message: ChatMessage) {
  return { message, view, pruned: leftOut(message).pruned }
}

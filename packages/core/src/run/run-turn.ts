import { levelOf, toAppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { failed } from '../domain/message/task-end.ts'
import type { AskKind, TaskEnd } from '../domain/permission/ask.ts'
import { ancestorsOf, rootOf } from '../domain/session/session.ts'
import { FIRST_EPOCH } from '../domain/stream/run-log.ts'
import { announceUsage } from '../history/apply/announce.ts'
import { rewindFor } from '../history/apply/rewind.ts'
import type { AbortOptions, Claim } from '../state/coordinator.ts'
import { createFairQueue } from '../state/fair-queue.ts'
import { createExecutor } from '../tool/execute-call.ts'
import {
  ABORTED_STEP,
  type AnsweredStep,
  afterStep,
  firstStep,
  type NextStep,
  resumedStep,
  type StepState,
} from './after-step.ts'
import { announceBegin, announceRun } from './announce-turn.ts'
import { askModel } from './ask-model.ts'
import { commitStep } from './commit-step.ts'
import { createQueueDrain, type QueueDrain } from './drain-queue.ts'
import { endStep, makeCalls } from './make-calls.ts'
import { createPlanTask } from './plan-task.ts'
import { prepareCall } from './prepare-call.ts'
import { proposeMemories } from './propose-memories.ts'
import { readAhead } from './read-ahead.ts'
import { readWaiting } from './read-waiting.ts'
import { failedByProvider, type RunEnd, type RunOutcome } from './run-outcome.ts'
import {
  type BegunTurn,
  type Conversation,
  type FiredRun,
  openConversation,
  openRun,
  type RunPolicy,
  type RunSettings,
  type RunState,
  type StartTurn,
  type TurnPorts,
  type TurnStart,
} from './run-state.ts'
import { createRunWrites, isNotAlone } from './run-writes.ts'
import { createSettle, endOf, failRun, workedMs } from './settle-run.ts'
import { mayExecute } from './stop-conditions.ts'
import { createSubagents } from './subagents.ts'
import { errorChunk } from './terminal-chunks.ts'
import { titleSession } from './title.ts'

export type StopOptions = AbortOptions & { runId?: string }

export type Turns = QueueDrain & {
  start: StartTurn
  /** Continues the session's waiting run from its last step, unless it has an open ask. Returns whether it did. */
  resume(sessionId: string): Promise<boolean>
  /**
   * Aborts the session's run and all its subagents, or only the run named, working or waiting. Resolves with whether there was one,
   * once all have ended.
   */
  stop(sessionId: string, options?: StopOptions): Promise<boolean>
  /** Puts the results of subagents in the background into the histories of sessions that are idle. */
  deliverResults(parentId: string | null): Promise<void>
}

/** Runs turns, from the claim of a session to its drained queue. The steps of one turn are in this file from top to bottom. */
export function createTurns(ports: TurnPorts, settings: RunSettings, policy: RunPolicy): Turns {
  const { store, clock, coordinator, claims, background, budgets, logger } = ports
  /** Starts and ends of runs take long compared with a chunk: one at a time, so that streaming runs are not delayed. */
  const inTurn = createFairQueue(clock)
  const settle = createSettle(ports, policy)
  const writes = createRunWrites(ports)
  const subagents = createSubagents(ports, { start, resume, stop })
  const planTask = createPlanTask(ports)

  async function start(turn: TurnStart): Promise<FiredRun | null> {
    const { session, runId } = turn
    const sessionId = session.id
    const messageId = createId('msg')
    const claim = coordinator.claim(sessionId, { runId, messageId, ancestors: ancestorsOf(session) })
    // Open before the claim is announced: a viewer may attach at once.
    const live = ports.live.open({ runId, sessionId })
    let begunTurn: BegunTurn | null = null
    try {
      await inTurn()
      const planned = turn.rewind === undefined ? null : await rewindFor(session, turn.rewind, ports)
      const plan = planned?.files ?? null
      const place = readAhead(session, { plan }, ports, settings)
      const trigger = place.files.noted({ ...turn.trigger, ...(planned && { change: planned.change }) })
      const since = clock.elapsed()
      const lease = { runId, sessionId, startedAt: clock.now(), epoch: FIRST_EPOCH }
      const begun = await writes.begin(trigger, lease)
      if (begun === null) return null
      const claimLost = claims.add(lease, messageId, since)
      begunTurn = { start: turn, claim, lease, claimLost, live, begun, messageId, reply: null, ...place }
      claim.begin()
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

  /** Takes up the session's waiting run, to go on or to end it; null when it does not wait, or has to wait on. */
  async function takeUp(sessionId: string, abort: AbortOptions | null): Promise<Claim | null> {
    const waiting = coordinator.waiting(sessionId)
    const resumed = waiting === null ? null : await readWaiting(sessionId, waiting, ports, settings)
    if (waiting === null || resumed === null) return null
    const { runId, messageId } = waiting
    const since = clock.elapsed()
    const claimAgain = abort === null ? store.runs.resume : store.runs.interrupt
    const lease = await claimAgain(runId, clock.now())
    if (lease === null) return null
    const ancestors = ancestorsOf(resumed.begun.session)
    const claim = coordinator.claim(sessionId, { runId, messageId, resumes: true, ancestors })
    const claimLost = claims.add(lease, messageId, since)
    const live = ports.live.resume(runId) ?? ports.live.open(lease)
    claim.begin()
    if (abort !== null) claim.abort(abort)
    void runTurn({ ...resumed, claim, lease, claimLost, live, messageId })
    return claim
  }

  async function resume(sessionId: string): Promise<boolean> {
    return !coordinator.closed && (await takeUp(sessionId, null)) !== null
  }

  async function stop(sessionId: string, options: StopOptions = {}): Promise<boolean> {
    const stopped = await stopOwn(sessionId, options)
    const below = options.runId === undefined && (await subagents.stopAll(sessionId))
    return stopped || below
  }

  async function stopOwn(sessionId: string, { runId, ...options }: StopOptions): Promise<boolean> {
    const isMeant = (run: { runId: string }) => runId === undefined || run.runId === runId
    const active = coordinator.active(sessionId)
    if (active !== null && (active.quiet || !isMeant(active))) return false
    active?.abort(options)
    await active?.released
    // It may have begun to wait at that moment, or have waited before.
    const waiting = coordinator.waiting(sessionId)
    if (waiting === null || !isMeant(waiting)) return active !== null
    const claim = await takeUp(sessionId, options)
    if (claim === null && coordinator.waiting(sessionId) === null)
      return await stopOwn(sessionId, { runId: waiting.runId, ...options })
    await claim?.released
    return claim !== null || active !== null
  }

  /** Runs a begun turn to its end. Never throws, and always ends the claim. */
  async function runTurn(turn: BegunTurn): Promise<void> {
    const { start: asked, begun, claim, live } = turn
    const sessionId = begun.session.id
    let waitsOn: AskKind | null = null
    let end = failed('The subagent could not be executed.')
    try {
      await inTurn()
      const run = await openRun(turn, ports, policy.savePolicy)
      if (turn.reply === null) await announceRun(run, asked.session, ports)
      const outcome = await outcomeOf(run, runSteps(run, turn))
      if (outcome.type === 'waiting') waitsOn = outcome.on
      else end = await endTurn(run, turn, outcome)
    } catch (error) {
      logger[levelOf(error)]({ error, sessionId, runId: asked.runId }, 'The run could not be executed')
      const { code, message } = toAppError(error)
      claim.apply({ type: 'failed', code, message })
      live.append([errorChunk({ message })])
    } finally {
      if (waitsOn === null) live.end()
      claim.release()
      claims.endLater(sessionId)
      if (waitsOn !== null) subagents.waits(sessionId, waitsOn)
      else {
        budgets.close(sessionId, asked.runId, asked.runId)
        subagents.ended(begun.session, end)
      }
      ports.chatEnds.find(rootOf(begun.session))?.onRunEnd?.(sessionId, waitsOn)
    }
  }

  /** Ends what the run has started and is not over, then stores its own end. */
  async function endTurn(run: RunState, turn: BegunTurn, outcome: RunEnd): Promise<TaskEnd> {
    await subagents.end(run, outcome)
    await inTurn()
    const settled = await settle(run, turn, outcome)
    const drains = settled.type !== 'failed' && !turn.claim.pausesQueue && !coordinator.closed
    continueLater(run.sessionId, drains ? queue.drain : queue.endSteering)
    titleSession(run, settled, ports)
    proposeMemories(run, turn, settled, ports)
    return endOf(run, settled)
  }

  /** One step after the other, until the reply is complete. */
  async function runSteps(run: RunState, turn: BegunTurn): Promise<RunOutcome> {
    await turn.files.begin()
    writes.noteSnapshot(turn)
    if (isNotAlone(run, ports)) await turn.files.beforeChange()
    const conversation = await openConversation(run, turn, ports, settings)
    let next: NextStep =
      turn.reply === null
        ? firstStep(run)
        : await finishStep(run, turn, conversation, resumedStep(turn.reply, run.carried))
    while (next.type === 'go-on') next = await runStep(run, turn, conversation, next.state)
    return next.outcome
  }

  /** One model call, then the tool calls that it asks for. */
  async function runStep(
    run: RunState,
    turn: BegunTurn,
    conversation: Conversation,
    state: StepState,
  ): Promise<NextStep> {
    const { signal } = run
    const { prompt, window } = conversation
    if (signal.aborted) return ABORTED_STEP
    if (state.step > 1) await writes.takeSteering(run)
    const end = await prepareCall(run, conversation, state.step, ports)
    if (end !== null) return end
    const reminders = await conversation.reminders(state)
    if (signal.aborted) return ABORTED_STEP
    const answer = await askModel({ run, prompt, window, reminders }, ports, policy)
    if (answer.type === 'aborted') return ABORTED_STEP
    const session = await commitStep(run, conversation, answer, ports)
    if (answer.type === 'failed') return { type: 'end', outcome: failedByProvider(answer.failure) }
    const next = await finishStep(run, turn, conversation, { state, end: answer.end })
    // The last step is published with the run's end.
    if (next.type === 'go-on' && session !== null)
      background.start('announce', () => announceUsage(session, ports))
    return next
  }

  /** Makes the calls of a step's answer. While a person decides about one of them, the run waits. */
  async function finishStep(
    run: RunState,
    turn: BegunTurn,
    { tools }: Conversation,
    { state, end }: AnsweredStep,
  ): Promise<NextStep> {
    const execute = createExecutor(tools)
    const { watchdog, projectRules = [] } = settings
    const { beforeChange } = turn.files
    const calling = { ...ports, ...policy, tools, watchdog, projectRules, subagents, planTask, beforeChange }
    while (mayExecute(end) && !run.signal.aborted) {
      const on = await makeCalls(run, execute, calling)
      if (on === null || run.signal.aborted) break
      if (await pause(run, turn, on)) return { type: 'end', outcome: { type: 'waiting', on } }
    }
    if (run.signal.aborted) return ABORTED_STEP
    endStep(run)
    return afterStep(run.agent, state, end, run.ledger.reached())
  }

  /** Stores that the run waits, and that this host no longer holds it; false when its asks all have their replies by now. */
  async function pause(run: RunState, { lease, files, claim }: BegunTurn, on: AskKind): Promise<boolean> {
    const { ledger, condensing } = run
    // A run that waits for a subagent works all the while; one that waits for a person does not.
    if (on !== 'task') ledger.stopTime()
    condensing.close('waits')
    const worked = { durationMs: workedMs(run, clock), spent: ledger.own }
    const messageMetadata = { ...(await files.end()), ...worked }
    return await run.recorder.commit([{ type: 'message-metadata', messageMetadata }], async (write) => {
      const session = await ledger.save((spent) => store.runs.pause(lease, { ...write, spent }, clock.now()))
      if (session === null) {
        ledger.startTime()
        condensing.open()
        return false
      }
      claims.wait(run.sessionId)
      claim.wait(on)
      background.start('announce', () => announceUsage(session, ports))
      return true
    })
  }

  /** The outcome of a run's steps; a failing store or host fails the run. */
  async function outcomeOf(run: RunState, steps: Promise<RunOutcome>): Promise<RunOutcome> {
    const outcome = await steps.catch((error: unknown) => failRun(run, error, 'INTERNAL', logger))
    const { storeFailure } = run
    return storeFailure.aborted ? failRun(run, storeFailure.reason, 'STORE_ERROR', logger) : outcome
  }

  function continueLater(sessionId: string, act: (sessionId: string) => Promise<unknown>): void {
    act(sessionId).catch((error: unknown) =>
      logger[levelOf(error)]({ error, sessionId }, 'The queue could not continue'),
    )
  }

  const queue = createQueueDrain(ports, start)
  return { start, resume, stop, deliverResults: subagents.deliver, ...queue }
}

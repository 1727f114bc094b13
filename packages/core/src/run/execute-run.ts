import { toAppError } from '../domain/errors.ts'
import type { ChatMessage, MetadataPatch } from '../domain/message.ts'
import type { Session } from '../domain/session.ts'
import type { StatusEvent } from '../domain/status.ts'
import type { Clock, LiveWriter, Logger, Models, RecordWrite, Store } from '../ports/index.ts'
import type { Environment } from '../prompt/assemble.ts'
import type { ToolContext } from '../tool/ai-tools.ts'
import { withParsedInputs } from './partial-input.ts'
import { createRecorder, type Recorder, type SavePolicy } from './recorder.ts'
import { runLoop } from './run-loop.ts'
import type { Condensing, RoomKeeper, Run, RunEnd } from './run-types.ts'
import { startChunk } from './step-with-retries.ts'
import { terminalChunks } from './terminal-chunks.ts'

export type ExecutePorts = {
  store: Store
  models: Models
  clock: Clock
  logger: Logger
  random(): number
}

export type RunPolicy = { savePolicy: SavePolicy; maxTries: number; stallMs: number }

export type RunPlan = Omit<Run, 'open' | 'environment'> & {
  /** Where it is streamed; open already. */
  live: LiveWriter
  toolContext: ToolContext
  environment(): Promise<Environment>
}

export type RunHooks = {
  /** Before all else; what it fails with ends the run. */
  onStarting(): Promise<void>
  onStatus(event: StatusEvent): void
  /** The session as it stands after a step that others follow; after the last one `onSettled` tells. */
  onStep(session: Session): void
  /** Messages have left the queue and entered the run. */
  onSteered(): void
  keepRoom(run: Run): RoomKeeper
  condense(recorder: Recorder): Condensing
  /** The run is over and about to be settled; answers with what else its message is to know. */
  onSettling(): Promise<MetadataPatch>
  /** The run's rows are final and its claim is over; its last chunk has not been published yet. */
  onSettled(end: RunEnd, session: Session, message: ChatMessage): void
}

/** What a run leaves: how it ended, and its message when one was begun. */
export type RunResult = { end: RunEnd; message: ChatMessage | null }

/** Runs a claimed session's turn to its end and settles it. Never throws. */
export async function executeRun(
  plan: RunPlan,
  ports: ExecutePorts,
  policy: RunPolicy,
  hooks: RunHooks,
): Promise<RunResult> {
  const { store, clock, logger } = ports
  const { runId, sessionId, messageId, startedAt, model, live } = plan
  const lease = { runId, sessionId, startedAt }
  const begunAt = clock.elapsed()
  const storeFailure = new AbortController()
  const signal = AbortSignal.any([plan.signal, storeFailure.signal])
  const recorder = createRecorder(
    { sessionId, messageId },
    {
      clock,
      live,
      savePolicy: policy.savePolicy,
      save: (write) => store.runs.record(write),
      onFailure: (error) => storeFailure.abort(error),
    },
  )
  const condensing = hooks.condense(recorder)

  const end = await endOf(loop())
  return await settle(end)

  async function loop(): Promise<RunEnd> {
    let stepped: Session | null = null
    await hooks.onStarting()
    const [open, environment] = await Promise.all([ports.models.open(model), plan.environment()])
    const run: Run = { ...plan, open, environment, signal }
    return await runLoop(run, {
      ...policy,
      clock,
      logger,
      recorder,
      random: ports.random,
      toolContext: plan.toolContext,
      onStatus: hooks.onStatus,
      async betweenSteps() {
        if (stepped !== null) hooks.onStep(stepped)
        await steer()
      },
      room: hooks.keepRoom(run),
      condensing,
      async commitStep(chunks, step) {
        const commit = (write: RecordWrite) => store.runs.commitStep({ ...write, ...step, model })
        stepped = await recorder.commit(chunks, commit)
      },
    })
  }

  async function steer(): Promise<void> {
    const waiting = await store.queue.list(sessionId)
    if (!waiting.some(({ metadata }) => metadata.steer)) return
    await recorder.steer((reply) => store.runs.takeSteering(runId, reply))
    hooks.onSteered()
  }

  async function endOf(work: Promise<RunEnd>): Promise<RunEnd> {
    const failed = await work.then(
      (ended) => ({ ended }),
      (error: unknown) => ({ error }),
    )
    const storeError: unknown = storeFailure.signal.aborted ? storeFailure.signal.reason : null
    if (storeError !== null) return failure(storeError, 'STORE_ERROR')
    return 'ended' in failed ? failed.ended : failure(failed.error, 'INTERNAL')
  }

  function failure(cause: unknown, fallback: 'STORE_ERROR' | 'INTERNAL'): RunEnd {
    const error = toAppError(cause, fallback)
    logger.error({ error: cause, runId, sessionId }, 'The run failed')
    return { finishReason: 'error', error: { code: error.code, message: error.message } }
  }

  /** The end of a run that could not be saved; what a viewer has seen and no reload will show is named. */
  function lostEnd(cause: unknown): RunEnd {
    const lost = failure(cause, 'STORE_ERROR')
    if (policy.savePolicy === 'chunk' || lost.error === undefined) return lost
    const message = `${lost.error.message} What was shown since the last save is not stored.`
    return { ...lost, error: { ...lost.error, message } }
  }

  async function settle(ended: RunEnd): Promise<RunResult> {
    const opening = recorder.begun ? [] : [startChunk({ runId, messageId, model, startedAt })]
    const durationMs = clock.elapsed() - begunAt
    const noted = await hooks.onSettling()
    condensing.close()
    const closing = terminalChunks(ended, recorder, durationMs, noted)
    try {
      await recorder.commit([...opening, ...closing], async (write) => {
        const session = await store.runs.end(lease, write, clock.now())
        hooks.onSettled(ended, session, recorder.message)
      })
      return { end: ended, message: await withParsedInputs(recorder.message) }
    } catch (error) {
      const lost = lostEnd(error)
      live.append(terminalChunks(lost, recorder, durationMs, noted))
      return { end: lost, message: null }
    } finally {
      live.end()
    }
  }
}

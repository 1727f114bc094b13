import type { ChatChunk } from '../domain/message.ts'
import { backoff } from '../model/backoff.ts'
import { classifyProviderError, isRetryable, type ProviderError } from '../model/provider-error.ts'
import { createChunkOrder } from './chunk-order.ts'
import { modelStep, type StepEnd, type StepRequest } from './model-step.ts'
import type { Run, RunDeps } from './run-types.ts'

export type StepOutcome =
  | { type: 'completed'; end: StepEnd }
  /** `shown`: something of it has been streamed. */
  | { type: 'failed'; failure: ProviderError; end: StepEnd | null; shown: boolean }
  | { type: 'aborted' }

/**
 * One step, tried again while its failure is transient and nothing of it has been shown. The chunks that only frame the
 * message and the step are held back until the provider has said something, so a failed try leaves no trace.
 */
export async function stepWithRetries(run: Run, request: StepRequest, deps: RunDeps): Promise<StepOutcome> {
  const { clock, maxTries, stallMs } = deps
  const { signal } = run

  for (let attempt = 1; ; attempt++) {
    const frame = holdFrame(run, deps)
    const result = await modelStep(request, { clock, stallMs, signal, onChunk: frame.pass })
    if (result.type === 'completed') frame.release()
    if (result.type !== 'failed') return result

    const failure = classifyProviderError(result.error, clock.now(), request.open.redact)
    if (!isRetryable(failure.kind) || frame.shown || attempt >= maxTries) {
      return { type: 'failed', failure, end: result.end, shown: frame.shown }
    }
    const waitMs = backoff(attempt, deps.random(), failure.retryAfterMs)
    deps.onStatus({
      type: 'retry-scheduled',
      attempt,
      message: failure.message,
      retryAt: clock.now() + waitMs,
    })
    const waited = await clock.sleep(waitMs, signal).then(
      () => true,
      () => false,
    )
    if (!waited) return { type: 'aborted' }
    deps.onStatus({ type: 'retry-begun' })
  }
}

/** Passes chunks on to the recorder; what only frames a message or step waits for something to show. */
function holdFrame(run: Run, { recorder, condensing }: RunDeps) {
  const held: ChatChunk[] = recorder.begun ? [] : [startChunk(run)]
  const inOrder = createChunkOrder(() => recorder.message)
  let shown = false

  function release() {
    for (const waiting of held.splice(0)) {
      recorder.write(waiting)
      condensing.note(waiting)
    }
  }

  return {
    pass(chunk: ChatChunk) {
      const ordered = inOrder(chunk)
      held.push(...ordered)
      if (ordered.some(({ type }) => type !== 'start-step' && type !== 'finish-step')) shown = true
      if (shown) release()
    },
    release,
    get shown() {
      return shown
    },
  }
}

/** The chunk that opens the run's message, with all that is known of it from the start. */
export function startChunk({
  runId,
  messageId,
  model,
  startedAt,
}: Pick<Run, 'runId' | 'messageId' | 'model' | 'startedAt'>): ChatChunk {
  return {
    type: 'start',
    messageId,
    messageMetadata: { schemaVersion: 1, createdAt: startedAt, runId, model },
  }
}

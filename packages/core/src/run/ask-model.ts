import type { ChatChunk } from '../domain/message/message.ts'
import type { Reminder } from '../domain/message/reminder.ts'
import type { ContextWindowManager } from '../history/compaction/context-window-manager.ts'
import { backoff } from '../model/backoff.ts'
import {
  classifyProviderError,
  isRetryable,
  isUnwritable,
  type ProviderError,
} from '../model/provider-error.ts'
import type { Clock } from '../ports/index.ts'
import type { StepEnd } from './call/answer-chunks.ts'
import { createChunkOrder } from './call/chunk-order.ts'
import { modelStep } from './call/model-step.ts'
import type { StepRequest } from './call/sdk-call.ts'
import type { Prompt } from './prompt.ts'
import { withSent } from './reminder.ts'
import type { RunPolicy, RunState } from './run-state.ts'

export type StepOutcome =
  | { type: 'completed'; end: StepEnd }
  /** `shown`: something of it has been streamed. `unwritable`: perhaps the provider's package could not write the request. */
  | { type: 'failed'; failure: ProviderError; end: StepEnd | null; shown: boolean; unwritable: boolean }
  | { type: 'aborted' }

type Question = {
  run: RunState
  prompt: Prompt
  reminders: readonly Reminder[]
  window: ContextWindowManager
}
type Deps = { clock: Clock; random(): number }

/**
 * Makes one model call, streamed to the recorder. A request that the provider's package fails to write is sent once more without
 * what only that package can write; a prompt that the provider finds too long is compacted and sent once more.
 */
export async function askModel(question: Question, deps: Deps, policy: RunPolicy): Promise<StepOutcome> {
  const { run, prompt, window } = question
  let outcome = await ask(question, deps, policy)
  if (outcome.type === 'failed' && outcome.unwritable) {
    prompt.simplify()
    outcome = await ask(question, deps, policy)
  }
  if (outcome.type !== 'failed' || outcome.shown || outcome.failure.kind !== 'context-overflow')
    return outcome
  const capacity = await window.afterOverflow(outcome.failure.contextLimit ?? null, (usable) => {
    prompt.fit(usable)
    return prompt.fixedTokens(run.recorder.begun ? run.recorder.message : null)
  })
  if (run.signal.aborted) return { type: 'aborted' }
  if (capacity.type === 'failed')
    return { ...outcome, failure: { ...outcome.failure, message: capacity.error.message } }
  if (capacity.type === 'unchanged') return outcome
  prompt.apply(capacity)
  const again = await ask(question, deps, policy)
  if (again.type !== 'failed' || again.shown || again.failure.kind !== 'context-overflow') return again
  const message = window.refused(again.failure.contextLimit ?? null)
  return { ...again, failure: { ...again.failure, message } }
}

async function ask(
  { run, prompt, window, reminders }: Question,
  deps: Deps,
  policy: RunPolicy,
): Promise<StepOutcome> {
  const { recorder, condensing } = run
  const asked = await prompt.request(recorder.begun ? recorder.message : null, reminders)
  const request = { ...asked, maxOutputTokens: window.replyTokens }
  condensing.used(prompt.asked.condensed)
  return await withRetries(run, { request, frame: frameOf(run, reminders) }, deps, policy)
}

/**
 * Retries a call while its failure is transient and nothing of it has been shown. The chunks that only frame the
 * message and the step are held back until the provider has sent something, so a failed try leaves no trace.
 */
async function withRetries(
  run: RunState,
  { request, frame: opening }: { request: StepRequest; frame: readonly ChatChunk[] },
  { clock, random }: Deps,
  { maxTries, stallMs }: RunPolicy,
): Promise<StepOutcome> {
  const { signal, claim } = run

  for (let attempt = 1; ; attempt++) {
    const frame = holdFrame(run, opening)
    const result = await modelStep(request, { clock, stallMs, signal, onChunk: frame.pass })
    if (result.type === 'completed') frame.release()
    if (result.type !== 'failed') return result

    const failure = classifyProviderError(result.error, clock.now(), request.open.redact)
    const unwritable = request.canSimplify && !frame.shown && isUnwritable(result.error)
    if (unwritable || !isRetryable(failure.kind) || frame.shown || attempt >= maxTries) {
      return { type: 'failed', failure, end: result.end, shown: frame.shown, unwritable }
    }
    const waitMs = backoff(attempt, random(), failure.retryAfterMs)
    const { message } = failure
    claim.apply({ type: 'retry-scheduled', attempt, message, retryAt: clock.now() + waitMs })
    const waited = await clock.sleep(waitMs, signal).then(
      () => true,
      () => false,
    )
    if (!waited) return { type: 'aborted' }
    claim.apply({ type: 'retry-begun' })
  }
}

/** The chunks before those of a step: the message's first one, and the reminders that the step's model call gets. */
function frameOf(run: RunState, reminders: readonly Reminder[]): ChatChunk[] {
  const { parts, metadata } = run.recorder.message
  const step = parts.filter(({ type }) => type === 'step-start').length + 1
  const sent = [...withSent(metadata?.reminders ?? [], reminders, step)]
  return [
    ...(run.recorder.begun ? [] : [startChunk(run)]),
    ...(reminders.length === 0
      ? []
      : [{ type: 'message-metadata', messageMetadata: { reminders: sent } } as const]),
  ]
}

/** Passes chunks to the recorder; chunks that only frame a message or step are held until one has content. */
function holdFrame(run: RunState, opening: readonly ChatChunk[]) {
  const { recorder, condensing } = run
  const held = [...opening]
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

/** The first chunk of the run's message, with its initial metadata. */
export function startChunk({
  runId,
  messageId,
  model,
  startedAt,
  carried,
}: Pick<RunState, 'runId' | 'messageId' | 'model' | 'startedAt' | 'carried'>): ChatChunk {
  const counting = carried.count > 0 && { countsOn: true as const }
  return {
    type: 'start',
    messageId,
    messageMetadata: { schemaVersion: 1, createdAt: startedAt, runId, model, ...counting },
  }
}

import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ChatChunk } from '../../domain/message/message.ts'
import { watchAnswer } from '../../model/answer-end.ts'
import { readReceived } from '../../model/received-parts.ts'
import { RefusedAnswerError } from '../../model/refused-answer.ts'
import { isUnknownEvent } from '../../model/unknown-event.ts'
import type { Clock } from '../../ports/index.ts'
import { createPartCheck } from './answer-bounds.ts'
import { type Answer, createAnswer, type StepEnd } from './answer-chunks.ts'
import { createPartCutter } from './cut-parts.ts'
import { isForeignCall, withHostedName } from './provider-calls.ts'
import { type StepRequest, toCallOptions } from './sdk-call.ts'

/** How one model call ended. */
export type StepResult =
  | { type: 'completed'; end: StepEnd }
  /** `end` is there when the provider closed its answer properly and reported the failure inside it. */
  | { type: 'failed'; error: unknown; end: StepEnd | null }
  | { type: 'aborted' }

export type StepDeps = {
  clock: Clock
  /** Milliseconds of silence after which the provider is given up. */
  stallMs: number
  signal: AbortSignal
  onChunk(chunk: ChatChunk): void
}

/**
 * Makes one streamed model call: passes each chunk to `onChunk` and returns how the call ended. Never throws. It is over as soon as
 * `signal` aborts, whether or not the provider has noticed; what it sends later is dropped. Tools are not executed.
 */
export async function modelStep(request: StepRequest, deps: StepDeps): Promise<StepResult> {
  const { clock, signal } = deps
  if (signal.aborted) return { type: 'aborted' }
  const connection = new AbortController()
  const begunAt = clock.elapsed()
  const failures = createFailures()
  let ended: Ended | null = null
  try {
    ended = await whileHeard(deps, async (heard) => {
      const answer = createAnswer(request, {
        signal: connection.signal,
        onChunk(chunk) {
          heard()
          deps.onChunk(chunk)
        },
        onError: failures.note,
      })
      await readAnswer(request, answer, { clock, signal: connection.signal })
      connection.signal.throwIfAborted()
      return answer.end()
    })
  } catch (error) {
    failures.note(error)
  } finally {
    connection.abort()
  }
  if (signal.aborted) return { type: 'aborted' }
  return resultOf(ended, clock.elapsed() - begunAt, failures)
}

type Reading = { clock: Clock; signal: AbortSignal }

/** Reads an answer part by part until it ends or `signal` aborts. A failure of its stream is its last part. */
async function readAnswer(request: StepRequest, answer: Answer, { clock, signal }: Reading): Promise<void> {
  const options = await toCallOptions(request, { clock, signal })
  const check = createPartCheck(clock)
  const cut = createPartCutter()
  const end = watchAnswer(signal)
  const { stream } = await request.open.model.doStream(options)
  const reader = readReceived(stream, end, clock)
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) return stop()

  async function readPieces(part: LanguageModelV4StreamPart) {
    for (const [index, piece] of cut(withHostedName(part)).entries()) {
      // Large parts come in pieces, with time for other work between them.
      if (index > 0) await clock.turn()
      if (signal.aborted) return
      const reading = answer.read(piece)
      if (reading !== undefined) await reading
    }
  }

  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      const part = check(value)
      if (part !== null) await readPieces(part)
    }
  } catch (error) {
    if (signal.aborted || (error instanceof Error && error.name === 'AbortError')) throw error
    await answer.read({ type: 'error', error })
  }
}

/**
 * Does `work`, which calls `heard` with each sign of life. Rejects as soon as `signal` aborts, and with a `StalledError` after
 * `stallMs` without one.
 */
async function whileHeard<T>(
  { clock, stallMs, signal }: StepDeps,
  work: (heard: () => void) => Promise<T>,
): Promise<T> {
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  let heardAt = clock.elapsed()
  let timer: Disposable | null = null
  const onAbort = () => stop(signal.reason)

  // One timer that is checked when it fires is cheaper than one for each chunk.
  function watch(ms: number) {
    timer = clock.after(ms, () => {
      const left = heardAt + stallMs - clock.elapsed()
      if (left <= 0) stop(new StalledError(stallMs))
      else watch(left)
    })
  }

  signal.addEventListener('abort', onAbort, { once: true })
  watch(stallMs)
  const heard = () => {
    heardAt = clock.elapsed()
  }
  try {
    return await Promise.race([work(heard), stopped])
  } finally {
    signal.removeEventListener('abort', onAbort)
    ;(timer as Disposable | null)?.[Symbol.dispose]()
  }
}

/** The provider sent nothing for too long. */
class StalledError extends Error {
  constructor(ms: number) {
    super(`The provider timed out: it sent nothing for ${Math.round(ms / 1000)} s`)
    this.name = 'StalledError'
  }
}

type Failure = { error: unknown } | null
type Failures = { readonly failure: Failure; readonly passedOver: Failure; note(error: unknown): void }

/** Keeps the error that an answer failed with, and the first event that is passed over. */
function createFailures(): Failures {
  let failure: Failure = null
  let passedOver: Failure = null
  return {
    note(error) {
      if (isUnknownEvent(error)) passedOver ??= { error }
      // The bound is the cause of the errors before it.
      else if (error instanceof RefusedAnswerError) failure = { error }
      else if (!isForeignCall(error)) failure ??= { error }
    },
    get failure() {
      return failure
    },
    get passedOver() {
      return passedOver
    },
  }
}

type Ended = NonNullable<ReturnType<Answer['end']>>

function resultOf(ended: Ended | null, durationMs: number, { failure, passedOver }: Failures): StepResult {
  const isSound = ended?.isUnread === true && passedOver !== null
  const end = ended && { ...ended.end, durationMs, ...(isSound && { finishReason: 'stop' }) }
  if (failure !== null) return { type: 'failed', error: failure.error, end }
  // What reads as an unknown event may be a request that could not be written, after which nothing comes.
  if (end === null) {
    const { error } = passedOver ?? { error: new Error('The stream ended without an answer') }
    return { type: 'failed', error, end }
  }
  // The packages end a stream so that closes without a finish reason: the answer is incomplete.
  if (end.finishReason === 'interrupted')
    return { type: 'failed', error: new Error('The stream ended without a finish'), end }
  if (end.finishReason === 'error')
    return { type: 'failed', error: new Error('The provider reported a failure'), end }
  return { type: 'completed', end }
}

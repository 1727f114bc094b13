import {
  isStepCount,
  type LanguageModelUsage,
  type ModelMessage,
  experimental_streamTextLowMemory as streamTextLowMemory,
  type ToolSet,
  toUIMessageStream,
} from 'ai'
import type { ChatChunk } from '../domain/message.ts'
import { RefusedAnswerError } from '../model/refused-answer.ts'
import { isUnknownEvent } from '../model/unknown-event.ts'
import type { Clock, OpenModel } from '../ports/index.ts'
import { boundedModel } from './bounded-model.ts'
import { asProviderCall, isForeignCall } from './provider-calls.ts'
import { readable } from './readable-chunk.ts'
import { createRunningCalls } from './running-calls.ts'
import { untilSilent } from './until-silent.ts'

export type StepRequest = {
  open: OpenModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
}

export type ToolCall = { name: string; input: unknown }

/** What the provider said of a model call at its end. `calls` are those that were ours to carry out. */
export type StepEnd = { finishReason: string; usage: LanguageModelUsage; calls: ToolCall[] }

/** How one model call, with the tool calls it asked for, ended. */
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
 * One model call, streamed: hands each chunk to `onChunk` and tells how it ended. Never throws. It is over as soon as
 * `signal` aborts, whether or not provider and tools have noticed; what they say later is dropped.
 */
export async function modelStep(request: StepRequest, deps: StepDeps): Promise<StepResult> {
  const { open, instructions, messages, tools } = request
  const connection = new AbortController()
  const running = createRunningCalls(deps.clock)
  const outcome: { end: StepEnd | null; failure: { error: unknown } | null } = { end: null, failure: null }
  let passedOver = false
  let endedUnread = false

  function fail(error: unknown) {
    if (isUnknownEvent(error)) passedOver = true
    // That a bound was reached says more than the errors before it.
    else if (error instanceof RefusedAnswerError) outcome.failure = { error }
    else if (!isForeignCall(error)) outcome.failure ??= { error }
    return ''
  }

  try {
    const result = streamTextLowMemory({
      model: boundedModel(open.model, deps.clock),
      instructions,
      messages,
      tools,
      providerOptions: open.providerOptions,
      ...(open.info.maxOutput !== null && { maxOutputTokens: open.info.maxOutput }),
      stopWhen: isStepCount(1),
      maxRetries: 0,
      abortSignal: AbortSignal.any([deps.signal, connection.signal]),
      onStepEnd({ finishReason, rawFinishReason, usage, toolCalls }) {
        const calls = toolCalls
          .filter(({ providerExecuted }) => providerExecuted !== true)
          .map(({ toolName, input }) => ({ name: toolName, input }))
        // Some servers tell a failure where others name a reason, and the packages do not know the word.
        outcome.end = { finishReason: rawFinishReason === 'error' ? 'error' : finishReason, usage, calls }
        // The package of OpenAI takes an answer with an event that it cannot read for failed, whatever its end says.
        endedUnread =
          finishReason === 'error' && rawFinishReason === undefined && usage.totalTokens !== undefined
      },
      onError: () => undefined,
    })
    const chunks = toUIMessageStream({
      stream: result.stream,
      tools,
      sendStart: false,
      sendFinish: false,
      sendSources: true,
      redactToolErrors: false,
      onError: fail,
    })
    for await (const streamed of untilSilent(chunks, { ...deps, mayBeSilent: () => running.size > 0 })) {
      const chunk = running.note(asProviderCall(readable(streamed, open.redact)))
      // How a run ends is said by the loop, once.
      if (chunk.type !== 'error' && chunk.type !== 'abort') deps.onChunk(chunk as ChatChunk)
    }
  } catch (error) {
    fail(error)
  } finally {
    connection.abort()
  }

  if (deps.signal.aborted) return { type: 'aborted' }
  const { failure } = outcome
  const end =
    outcome.end && passedOver && endedUnread ? { ...outcome.end, finishReason: 'stop' } : outcome.end
  if (failure !== null) return { type: 'failed', error: failure.error, end }
  if (end === null) return { type: 'failed', error: new Error('The stream ended without an answer'), end }
  // So the SDK ends a stream that closes without a word: half an answer, not a finished one.
  if (end.finishReason === 'interrupted')
    return { type: 'failed', error: new Error('The stream ended without a finish'), end }
  if (end.finishReason === 'error')
    return { type: 'failed', error: new Error('The provider reported a failure'), end }
  return { type: 'completed', end }
}

import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  isStepCount,
  type LanguageModelUsage,
  type ModelMessage,
  type SystemModelMessage,
  experimental_streamTextLowMemory as streamTextLowMemory,
  type ToolSet,
  toUIMessageStream,
  wrapLanguageModel,
} from 'ai'
import type { ChatChunk } from '../domain/message.ts'
import { RefusedAnswerError } from '../model/refused-answer.ts'
import { isUnknownEvent } from '../model/unknown-event.ts'
import type { Clock, OpenModel } from '../ports/index.ts'
import { boundedModel } from './bounded-model.ts'
import { reasonOf } from './finish-reason.ts'
import { asProviderCall, isForeignCall, isOurs } from './provider-calls.ts'
import { readable } from './readable-chunk.ts'
import { untilSilent } from './until-silent.ts'

export type StepRequest = {
  open: OpenModel
  instructions: string | SystemModelMessage[]
  messages: ModelMessage[]
  tools: ToolSet
  /** Tools that the request does not list, of which a call is accepted all the same. */
  unlisted?: ToolSet
  /** True when the messages hold what only the provider's own package can write, and could go without it. */
  canSimplify: boolean
  /** Null for none. */
  maxOutputTokens: number | null
}

export type ToolCall = { name: string; input: unknown }

/**
 * The end of a model call as its provider reports it. `calls` are those for our tools; `paused`: the provider continues
 * once it gets its answer so far back.
 */
export type StepEnd = {
  finishReason: string
  usage: LanguageModelUsage
  calls: ToolCall[]
  paused: boolean
  /** Milliseconds of the model call, without the calls of tools that it asked for. */
  durationMs: number
}

/** The stop reason with which Anthropic pauses an answer whose hosted tools take long. */
const PAUSED = 'pause_turn'

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
  const { open, instructions, messages, maxOutputTokens } = request
  const tools = { ...request.tools, ...request.unlisted }
  const connection = new AbortController()
  const begunAt = deps.clock.elapsed()
  type Failure = { error: unknown } | null
  const outcome: { end: StepEnd | null; failure: Failure; passedOver: Failure } = {
    end: null,
    failure: null,
    passedOver: null,
  }
  let endedUnread = false

  function fail(error: unknown) {
    if (isUnknownEvent(error)) outcome.passedOver ??= { error }
    // The bound is the cause of the errors before it.
    else if (error instanceof RefusedAnswerError) outcome.failure = { error }
    else if (!isForeignCall(error)) outcome.failure ??= { error }
    return ''
  }

  try {
    const result = streamTextLowMemory({
      model: listingOnly(boundedModel(open.model, deps.clock), request),
      instructions,
      messages,
      tools,
      providerOptions: open.providerOptions,
      ...(maxOutputTokens !== null && { maxOutputTokens }),
      stopWhen: isStepCount(1),
      maxRetries: 0,
      abortSignal: AbortSignal.any([deps.signal, connection.signal]),
      onStepEnd({ finishReason, rawFinishReason, usage, toolCalls, toolResults }) {
        const calls = toolCalls
          .filter((call) => isOurs(call, toolResults))
          .map(({ toolName, input }) => ({ name: toolName, input }))
        const reason = reasonOf(finishReason, rawFinishReason)
        const durationMs = deps.clock.elapsed() - begunAt
        outcome.end = { finishReason: reason, usage, calls, paused: rawFinishReason === PAUSED, durationMs }
        // The package of OpenAI reports an answer with an unreadable event as failed, even when its end reports success.
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
    for await (const streamed of untilSilent(chunks, deps)) {
      const chunk = asProviderCall(readable(streamed, open.redact))
      // The loop publishes the run's end, once.
      if (chunk.type !== 'error' && chunk.type !== 'abort') deps.onChunk(chunk as ChatChunk)
    }
  } catch (error) {
    fail(error)
  } finally {
    connection.abort()
  }

  if (deps.signal.aborted) return { type: 'aborted' }
  const { failure, passedOver } = outcome
  const end =
    outcome.end && passedOver !== null && endedUnread ? { ...outcome.end, finishReason: 'stop' } : outcome.end
  if (failure !== null) return { type: 'failed', error: failure.error, end }
  // What reads as an unknown event may be a request that could not be written, after which nothing comes.
  if (end === null) {
    const { error } = passedOver ?? { error: new Error('The stream ended without an answer') }
    return { type: 'failed', error, end }
  }
  // The SDK ends a stream so that closes without a finish reason: the answer is incomplete.
  if (end.finishReason === 'interrupted')
    return { type: 'failed', error: new Error('The stream ended without a finish'), end }
  if (end.finishReason === 'error')
    return { type: 'failed', error: new Error('The provider reported a failure'), end }
  return { type: 'completed', end }
}

/** The model, whose requests list none of the `unlisted` tools: the SDK accepts calls of those tools alone that it is given. */
function listingOnly(model: LanguageModelV4, { unlisted = {} }: StepRequest): LanguageModelV4 {
  if (Object.keys(unlisted).length === 0) return model
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => {
        const tools = params.tools?.filter(({ name }) => !Object.hasOwn(unlisted, name)) ?? []
        const { tools: _, toolChoice: __, ...rest } = params
        return Promise.resolve(tools.length === 0 ? rest : { ...params, tools })
      },
    },
  })
}

import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  type LanguageModelUsage,
  NoOutputGeneratedError,
  type TextStreamPart,
  type ToolSet,
  type TypedToolCall,
  toUIMessageChunk,
  type UIMessageChunk,
} from 'ai'
import type { ChatChunk, FinishReason } from '../../domain/message/message.ts'
import { toAiTools } from '../../tool/ai-tools.ts'
import { asProviderCall, isOurs } from './provider-calls.ts'
import { readable } from './readable-chunk.ts'
import { base64Of, parseCall, type StepRequest, toUsage } from './sdk-call.ts'

type Part = LanguageModelV4StreamPart
type StreamPart = TextStreamPart<ToolSet>
type Delta = Extract<Part, { delta: string }>
type Finish = Extract<Part, { type: 'finish' }>

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

export type Answer = {
  /** Passes on the chunk that a part makes. Returns a promise when that takes longer than the call itself. */
  read(part: Part): void | Promise<void>
  /**
   * Passes on the end of the step once no more parts come. `isUnread`: the answer counts as failed for an event that could not be
   * read alone. Null when nothing has come at all.
   */
  end(): { end: Omit<StepEnd, 'durationMs'>; isUnread: boolean } | null
}

type AnswerDeps = {
  signal: AbortSignal
  onChunk(chunk: ChatChunk): void
  /** Called with each error of the answer. */
  onError(error: unknown): void
}

/** Makes the chunks of one model call from the parts of its answer, one after the other, as the AI SDK does. */
export function createAnswer(
  { open, tools, unlisted }: StepRequest,
  { signal, onChunk, onError }: AnswerDeps,
): Answer {
  const known = toAiTools([...tools, ...unlisted])
  const calls: TypedToolCall<ToolSet>[] = []
  const callOf = (id: string) => calls.findLast(({ toolCallId }) => toolCallId === id)
  const results: { toolCallId: string }[] = []
  let begun = false
  let hasOutput = false
  let finish: Finish | null = null
  /** An error that came behind the provider's own end. */
  let hasFailed = false

  const options = {
    tools: known,
    sendSources: true,
    redactToolErrors: false,
    onError(error: unknown) {
      onError(error)
      return ''
    },
  }

  function fail(error: unknown) {
    hasFailed = true
    onError(error)
  }

  /** All chunks of the SDK are ours as well, but for the type of their metadata. */
  function pass(chunk: UIMessageChunk | undefined) {
    if (chunk !== undefined) onChunk(asProviderCall(readable(chunk, open.redact)) as ChatChunk)
  }

  function convert(part: StreamPart) {
    pass(toUIMessageChunk(part, options))
  }

  function readDelta({ type, id, delta, providerMetadata }: Delta) {
    if (type === 'tool-input-delta') pass({ type, toolCallId: id, inputTextDelta: delta })
    else if (providerMetadata) onChunk({ type, id, delta, providerMetadata })
    else if (delta !== '' || type === 'reasoning-delta') onChunk({ type, id, delta })
  }

  function beginCall(part: Extract<Part, { type: 'tool-input-start' }>) {
    const tool = Object.hasOwn(known, part.toolName) ? known[part.toolName] : undefined
    const { dynamic = false } = part
    convert({ ...part, dynamic, ...(tool?.metadata && { toolMetadata: tool.metadata }) })
  }

  async function readCall(part: Extract<Part, { type: 'tool-call' }>) {
    const call = await parseCall(part, known)
    calls.push(call)
    convert(call)
  }

  async function readFile(part: Extract<Part, { type: 'file' | 'reasoning-file' }>) {
    const { type, mediaType, providerMetadata } = part
    const base64 = await base64Of(part.data, signal)
    const url = `data:${mediaType};base64,${base64}`
    onChunk({ type, mediaType, url, ...(providerMetadata && { providerMetadata }) })
  }

  function readResult(part: Extract<Part, { type: 'tool-result' }>) {
    const { toolCallId, toolName, isError, result, dynamic, preliminary, providerMetadata } = part
    const call = callOf(toolCallId)
    const shared = {
      toolCallId,
      toolName,
      input: call?.input,
      providerExecuted: true as const,
      ...(dynamic !== undefined && { dynamic }),
      ...(providerMetadata && { providerMetadata }),
      ...(call?.toolMetadata && { toolMetadata: call.toolMetadata }),
    }
    if (isError === true) return convert({ ...shared, type: 'tool-error', error: result } as StreamPart)
    if (preliminary !== true) results.push(part)
    convert({ ...shared, type: 'tool-result', output: result } as StreamPart)
  }

  function askApproval({ type, approvalId, toolCallId }: Extract<Part, { type: 'tool-approval-request' }>) {
    const toolCall = callOf(toolCallId)
    if (toolCall === undefined) fail(new Error(`There is no tool call ${toolCallId} to approve`))
    else convert({ type, approvalId, toolCall })
  }

  function read(part: Part): void | Promise<void> {
    if (part.type === 'stream-start') return
    if (!begun) onChunk({ type: 'start-step' })
    begun = true
    hasOutput ||= isOutput(part)
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        return readDelta(part)
      case 'text-start':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-end':
      case 'source':
      case 'custom':
        return convert(part)
      case 'tool-input-start':
        return beginCall(part)
      case 'tool-call':
        return readCall(part).catch(fail)
      case 'tool-result':
        return readResult(part)
      case 'tool-approval-request':
        return askApproval(part)
      case 'file':
      case 'reasoning-file':
        return readFile(part)
      case 'finish':
        finish = part
        hasFailed = false
        return
      case 'error':
        return fail(part.error)
      default:
        return
    }
  }

  function end() {
    if (finish === null && !hasFailed && !hasOutput) {
      onError(new NoOutputGeneratedError({ message: 'The stream ended without an answer' }))
      return null
    }
    onChunk({ type: 'finish-step' })
    const { unified = 'other', raw } = finish?.finishReason ?? {}
    const usage = toUsage(finish?.usage ?? null)
    const reason = hasFailed ? 'error' : unified
    const ours = calls.filter((call) => isOurs(call, results))
    return {
      end: {
        finishReason: reasonOf(reason, raw),
        usage,
        calls: ours.map(({ toolName: name, input }) => ({ name, input })),
        paused: raw === PAUSED,
      },
      // The package of OpenAI reports an answer with an unreadable event as failed, even when its end reports success.
      isUnread: reason === 'error' && raw === undefined && usage.totalTokens !== undefined,
    }
  }

  return { read, end }
}

/** Whether a part shows something: an answer that breaks off after one is kept. */
function isOutput(part: Part): boolean {
  if ('delta' in part) return part.delta !== ''
  return part.type === 'tool-call' || part.type === 'file' || part.type === 'reasoning-file'
}

/** Reasons for which packages have no name of their own, by the words in them. */
const IN_OTHER_WORDS: readonly (readonly [RegExp, FinishReason])[] = [
  [/error|abort|cancel|timeout|interrupt|insufficient/i, 'error'],
  [/length|max_?(output_?)?tokens|token_?limit/i, 'length'],
  [/filter|safety|sensitive|prohibited|blocked/i, 'content-filter'],
]

/**
 * Why a provider ended its answer. Servers that report a failure, a full window or a filter in words that their package
 * does not know ended it for that; every other unknown reason is `other`.
 */
function reasonOf(finishReason: string, raw: string | undefined): string {
  if (finishReason !== 'other' || raw === undefined) return finishReason
  return IN_OTHER_WORDS.find(([words]) => words.test(raw))?.[1] ?? finishReason
}

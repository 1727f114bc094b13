import { inputKind } from '../domain/files/media-type.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import { isToolPart } from '../domain/message/message.ts'
import type { ModelInfo, ModelRef } from '../domain/model/model.ts'
import { type CallPart, parseObject, prepareHostedCall } from './hosted-calls.ts'
import type { ProviderFamily } from './provider-family.ts'
import { shallowPart } from './shallow-part.ts'

const DENIED = 'The person denied this call.'
const STOPPED_BEFORE_IT_RAN = 'The call was stopped before it ran.'
const STOPPED = 'The call was stopped before it finished; it may have run.'

/** The model that a request is for. */
export type PromptTarget = {
  model: ModelRef
  info: ModelInfo
  family: ProviderFamily
  /** Leaves out what only a provider's own package can write: hosted calls and content of its own kinds. */
  plain?: boolean
}

/**
 * A message as the next call of a model may see it: without blank text, frozen tool calls as stopped, signatures and
 * reasoning only for the model that made them, and what the model can't take named instead. `pending` keeps the calls
 * that the provider has begun in the last step and continues.
 */
export function prepareMessage(message: ChatMessage, target: PromptTarget, pending = false): ChatMessage {
  const { role, metadata, parts } = message
  const own = role !== 'assistant' || isSameModel(metadata?.model, target.model)
  const lastStep = pending ? parts.findLastIndex(isBoundary) : parts.length
  const prepared = parts.map((part, place) => ({
    part,
    kept: preparePart(withoutEmptyIds(shallowPart(part)), {
      ...target,
      role,
      own,
      pending: place > lastStep,
    }),
  }))
  return { ...message, parts: withoutDanglingReasoning(prepared, target.family) }
}

type Prepared = { part: ChatPart; kept: ChatPart[] }

/** Providers refuse reasoning that nothing follows, as a run leaves it that was stopped between thinking and speaking. */
function withoutDanglingReasoning(prepared: Prepared[], family: ProviderFamily): ChatPart[] {
  let followed = false
  return prepared
    .toReversed()
    .filter(({ part, kept }) => {
      if (part.type === 'reasoning') return followed
      // OpenAI requires after its reasoning the item that followed it at first.
      const isMissing = family === 'openai-responses' && isToolPart(part) && !kept.some(isToolPart)
      if (isBoundary(part) || isMissing) followed = false
      else if (kept.length > 0) followed = true
      return true
    })
    .reverse()
    .flatMap(({ kept }) => kept)
}

function isBoundary({ type }: ChatPart): boolean {
  return type === 'step-start' || type === 'steering-message'
}

/** A part without the item ids and signatures that its provider left empty: they are refused, and with them every later turn. */
function withoutEmptyIds(part: ChatPart): ChatPart {
  if (isToolPart(part)) {
    const { callProviderMetadata: given } = part
    return given === undefined ? part : { ...part, callProviderMetadata: withIds(given) }
  }
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  return part.providerMetadata === undefined
    ? part
    : { ...part, providerMetadata: withIds(part.providerMetadata) }
}

function withIds<T extends object>(metadata: Record<string, T>): Record<string, T> {
  const named = Object.entries(metadata).filter(
    ([, own]) => !('itemId' in own && own.itemId === '') && !('signature' in own && own.signature === ''),
  )
  return Object.fromEntries(named)
}

/** Parts that only the package of the provider that made them can write. */
export function isProvidersOwn(part: ChatPart): boolean {
  if (isToolPart(part)) return part.providerExecuted === true
  return part.type === 'custom' || part.type === 'reasoning-file'
}

type PartTarget = PromptTarget & { role: ChatMessage['role']; own: boolean; pending: boolean }

function preparePart(part: ChatPart, target: PartTarget): ChatPart[] {
  const { own, plain } = target
  if (isToolPart(part)) return prepareCall(part, target)
  switch (part.type) {
    case 'text':
      return prepareText(part, own)
    case 'reasoning':
      return own && isSendable(part) ? [part] : []
    case 'reasoning-file':
    case 'custom':
      return own && !plain ? [part] : []
    case 'file':
      return [prepareFile(part, target)]
    case 'steering-message':
      return prepareSteering(part, target)
    case 'step-start':
      return [part]
    default:
      return []
  }
}

/** Anthropic refuses a text of white space, and with it every later turn. */
function prepareText(part: Extract<ChatPart, { type: 'text' }>, own: boolean): ChatPart[] {
  if (isBlank(part.text)) return own && isSigned(part) ? [part] : []
  if (own) return [part]
  // Replies of earlier versions hold a provider's summary as text; another model gets the summarised messages.
  return part.providerMetadata?.['anthropic']?.['type'] === 'compaction'
    ? []
    : [{ type: 'text', text: part.text }]
}

function prepareSteering(
  part: Extract<ChatPart, { type: 'steering-message' }>,
  target: PartTarget,
): ChatPart[] {
  const words = part.parts.flatMap((word) => {
    if (word.type === 'file') return [prepareFile(word, { ...target, role: 'user' })]
    return isBlank(word.text) ? [] : [word]
  })
  return words.length === 0 ? [] : [{ ...part, parts: words }]
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Reasoning that is whole, with words or with what its provider put in their place. */
function isSendable({ state, text, providerMetadata }: Extract<ChatPart, { type: 'reasoning' }>): boolean {
  return state !== 'streaming' && (!isBlank(text) || providerMetadata !== undefined)
}

/** Google signs parts without text too, and requires them back as well. */
function isSigned({ providerMetadata = {} }: Extract<ChatPart, { type: 'text' }>): boolean {
  return Object.values(providerMetadata).some((metadata) => 'thoughtSignature' in metadata)
}

function prepareCall(part: CallPart, { own, family, plain, pending }: PartTarget): ChatPart[] {
  if (part.providerExecuted === true) {
    // A provider's own tool calls mean nothing to another provider.
    return own && !plain ? prepareHostedCall(part, family, pending) : []
  }
  const settled = settleCall(part)
  if (own) return [settled]
  const { callProviderMetadata: _call, ...call } = settled
  if (!('resultProviderMetadata' in call)) return [call as CallPart]
  const { resultProviderMetadata: _result, ...rest } = call
  return [rest as CallPart]
}

/** A call of ours; one that never got its output as one that failed. */
function settleCall(part: CallPart): CallPart {
  switch (part.state) {
    case 'output-available': {
      if (part.preliminary === true) return failedCall(part, asArguments(part.input), STOPPED)
      const { approval: _approval, ...call } = part
      return { ...call, input: asArguments(part.input) } as CallPart
    }
    case 'output-denied':
      return failedCall(part, asArguments(part.input), part.approval?.reason ?? DENIED)
    case 'output-error':
      return failedCall(part, asArguments(part.input), part.errorText)
    case 'input-streaming':
      return failedCall(part, {}, STOPPED_BEFORE_IT_RAN)
    case 'approval-requested':
      return failedCall(part, asArguments(part.input), STOPPED_BEFORE_IT_RAN)
    case 'input-available':
    case 'approval-responded':
      return failedCall(part, asArguments(part.input), STOPPED)
  }
}

/**
 * The call as an error, with its input whole or empty: half of one is no valid input. An approval that led nowhere would
 * be waited for in every later turn.
 */
function failedCall(part: CallPart, input: unknown, errorText: string): CallPart {
  const { approval: _approval, ...call } = part
  return {
    ...call,
    state: 'output-error',
    input,
    rawInput: undefined,
    output: undefined,
    errorText,
  } as CallPart
}

/**
 * Providers refuse arguments that are no object, in every later turn. A text, as tools with free input are given one, or
 * any other value goes as the field `input`; nothing, and JSON that was cut off, as no arguments.
 */
function asArguments(input: unknown): object {
  if (typeof input === 'object' && input !== null) return Array.isArray(input) ? { input } : input
  if (input === undefined || input === null || input === '') return {}
  const isCut = typeof input === 'string' && /^\s*[[{]/.test(input) && parseObject(input) === null
  return isCut ? {} : { input }
}

type FilePart = Extract<ChatPart, { type: 'file' }>
type TextOrFile = Extract<ChatPart, { type: 'text' | 'file' }>

function prepareFile(part: FilePart, { info, family, role }: PartTarget): TextOrFile {
  const kind = inputKind(part.mediaType)
  // Of all providers only Google takes files among its own words.
  const taken = role !== 'assistant' || family === 'google'
  if (taken && URL.canParse(part.url) && kind !== null && info.inputs.includes(kind)) return part
  return {
    type: 'text',
    text: `[Attachment ${part.filename ?? ''} of type ${part.mediaType}: this model can't read it]`,
  }
}

export function isSameModel(made: ModelRef | undefined, model: ModelRef): boolean {
  return made?.providerId === model.providerId && made.modelId === model.modelId
}

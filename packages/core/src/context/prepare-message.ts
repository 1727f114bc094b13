import type { ChatMessage, ChatPart } from '../domain/message.ts'
import { isToolPart } from '../domain/message.ts'
import type { ModelInfo, ModelRef } from '../domain/model.ts'
import { shallowPart } from './shallow-part.ts'

const STOPPED_BEFORE_IT_RAN = 'The call was stopped before it ran.'
const STOPPED = 'The call was stopped before it finished; it may have run.'

/**
 * A message as the next call of `model` may see it: frozen tool calls read as stopped, signatures and reasoning go only
 * to the model that made them, and what the model can't take is named instead.
 */
export function prepareMessage(message: ChatMessage, model: ModelRef, info: ModelInfo): ChatMessage {
  const own = message.role !== 'assistant' || isSameModel(message.metadata?.model, model)
  const parts = message.parts.flatMap((part) => preparePart(shallowPart(part), own, info))
  return { ...message, parts: withoutDanglingReasoning(parts) }
}

/** Providers refuse reasoning that nothing follows, as a run leaves it that was stopped between thinking and speaking. */
function withoutDanglingReasoning(parts: ChatPart[]): ChatPart[] {
  let followed = false
  return parts
    .toReversed()
    .filter(({ type }) => {
      if (type === 'reasoning') return followed
      followed = type !== 'step-start' && type !== 'steering-message'
      return true
    })
    .reverse()
}

function preparePart(part: ChatPart, own: boolean, info: ModelInfo): ChatPart[] {
  if (isToolPart(part)) return prepareCall(part, own)
  switch (part.type) {
    case 'text':
      if (part.text === '') return own && isSigned(part) ? [part] : []
      return [own ? part : { type: 'text', text: part.text }]
    case 'reasoning':
      return own && part.state !== 'streaming' ? [part] : []
    case 'reasoning-file':
    case 'custom':
      return own ? [part] : []
    case 'file':
      return [prepareFile(part, info)]
    case 'steering-message':
      return [
        {
          ...part,
          parts: part.parts.map((inner) => (inner.type === 'file' ? prepareFile(inner, info) : inner)),
        },
      ]
    case 'step-start':
      return [part]
    default:
      return []
  }
}

/** Google signs what has no words too, and wants that back as well. */
function isSigned({ providerMetadata = {} }: Extract<ChatPart, { type: 'text' }>): boolean {
  return Object.values(providerMetadata).some((metadata) => 'thoughtSignature' in metadata)
}

type CallPart = Extract<ChatPart, { toolCallId: string }>

function prepareCall(part: CallPart, own: boolean): ChatPart[] {
  const settled = settleCall(part)
  if (settled === null) return []
  if (own) return [settled]
  // A provider's own tool calls mean nothing to another provider.
  if (settled.providerExecuted) return []
  const { callProviderMetadata: _call, ...call } = settled
  if (!('resultProviderMetadata' in call)) return [call as CallPart]
  const { resultProviderMetadata: _result, ...rest } = call
  return [rest as CallPart]
}

/** A call that never got its output, as one that failed; null when its provider would not take that either. */
function settleCall(part: CallPart): CallPart | null {
  switch (part.state) {
    case 'output-available':
    case 'output-denied':
      return part
    case 'output-error':
      return failedCall(part, asArguments(part.input), part.errorText)
    case 'input-streaming':
      return part.providerExecuted ? null : failedCall(part, {}, STOPPED_BEFORE_IT_RAN)
    case 'input-available':
    case 'approval-requested':
    case 'approval-responded':
      return part.providerExecuted ? null : failedCall(part, part.input, STOPPED)
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

/** Arguments that never became an object would be refused by every provider, in every later turn. */
function asArguments(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {}
}

type FilePart = Extract<ChatPart, { type: 'file' }>
type TextOrFile = Extract<ChatPart, { type: 'text' | 'file' }>

function prepareFile(part: FilePart, info: ModelInfo): TextOrFile {
  const kind = mediaKind(part.mediaType)
  if (URL.canParse(part.url) && kind !== null && info.inputs.includes(kind)) return part
  return {
    type: 'text',
    text: `[Attachment ${part.filename ?? ''} of type ${part.mediaType}: this model can't read it]`,
  }
}

function mediaKind(mediaType: string): ModelInfo['inputs'][number] | null {
  if (mediaType === 'application/pdf') return 'pdf'
  const kind = mediaType.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' || kind === 'text' ? kind : null
}

function isSameModel(made: ModelRef | undefined, model: ModelRef): boolean {
  return made?.providerId === model.providerId && made.modelId === model.modelId
}

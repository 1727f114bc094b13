import type { ChatChunk, ChatMessage, ChatPart } from '../message/message.ts'
import { mergeMetadata } from './merge-metadata.ts'
import { reduceToolChunk } from './tool-reducer.ts'

/**
 * A message as it grows from its chunks. Immutable: what did not change keeps its identity, which is how a recorder
 * finds the parts to save and a page those to draw. The result equals what the AI SDK's own reducer makes of the same
 * chunks, but for `input` of a tool call that is still streaming: only its `rawInput` is kept here; the
 * caller that shows or stores it parses it.
 */
export type Reduction = {
  readonly message: ChatMessage
  /** Index in `parts` of the text and reasoning parts that are open, by chunk id. */
  readonly open: {
    readonly text: Readonly<Record<string, number>>
    readonly reasoning: Readonly<Record<string, number>>
  }
}

export function initialReduction(messageId: string): Reduction {
  return { message: { id: messageId, role: 'assistant', parts: [] }, open: { text: {}, reasoning: {} } }
}

/** Adds one chunk. Chunks that fit nowhere, and kinds that are not known yet, change nothing. */
export function reduceChunk(state: Reduction, chunk: ChatChunk): Reduction {
  switch (chunk.type) {
    case 'start': {
      const message =
        chunk.messageId === undefined ? state.message : { ...state.message, id: chunk.messageId }
      return { ...state, message: mergeMetadata(message, chunk.messageMetadata) }
    }
    case 'finish':
    case 'message-metadata':
      return { ...state, message: mergeMetadata(state.message, chunk.messageMetadata) }
    case 'start-step':
      return push(state, { type: 'step-start' })
    case 'reset-step':
      return resetStep(state)
    case 'text-start':
    case 'reasoning-start':
      return openPart(state, chunk)
    case 'text-delta':
    case 'reasoning-delta':
      return growPart(state, chunk)
    case 'text-end':
    case 'reasoning-end':
      return closePart(state, chunk)
    case 'file':
    case 'reasoning-file': {
      const { type, mediaType, url, providerMetadata } = chunk
      return push(state, { type, mediaType, url, ...(providerMetadata && { providerMetadata }) })
    }
    case 'source-url':
    case 'source-document':
    case 'custom':
      return push(state, { ...chunk })
    case 'steering-message':
      return push(state, { type: chunk.type, id: chunk.id, parts: chunk.parts })
    case 'finish-step':
    case 'error':
    case 'abort':
      return state
    default:
      return isDataChunk(chunk)
        ? reduceData(state, chunk)
        : withParts(state, reduceToolChunk(state.message.parts, chunk))
  }
}

type DataChunk = Extract<ChatChunk, { type: `data-${string}` }>
type Kind = 'text' | 'reasoning'

function isDataChunk(chunk: ChatChunk): chunk is DataChunk {
  return chunk.type.startsWith('data-')
}

function withParts(state: Reduction, parts: ChatPart[]): Reduction {
  return parts === state.message.parts ? state : { ...state, message: { ...state.message, parts } }
}

function push(state: Reduction, part: ChatPart): Reduction {
  return withParts(state, [...state.message.parts, part])
}

function openPart(
  state: Reduction,
  chunk: Extract<ChatChunk, { type: 'text-start' | 'reasoning-start' }>,
): Reduction {
  const { id, providerMetadata } = chunk
  const kind: Kind = chunk.type === 'text-start' ? 'text' : 'reasoning'
  const fields = { text: '', state: 'streaming' as const, ...(providerMetadata && { providerMetadata }) }
  const part: ChatPart = kind === 'text' ? { type: kind, ...fields } : { type: kind, id, ...fields }
  const open = { ...state.open, [kind]: { ...state.open[kind], [id]: state.message.parts.length } }
  return { ...push(state, part), open }
}

function growPart(
  state: Reduction,
  chunk: Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>,
): Reduction {
  const index = state.open[chunk.type === 'text-delta' ? 'text' : 'reasoning'][chunk.id]
  return replaceText(state, index, (part) => ({
    ...part,
    text: part.text + chunk.delta,
    ...(chunk.providerMetadata && { providerMetadata: chunk.providerMetadata }),
  }))
}

function closePart(
  state: Reduction,
  chunk: Extract<ChatChunk, { type: 'text-end' | 'reasoning-end' }>,
): Reduction {
  const kind: Kind = chunk.type === 'text-end' ? 'text' : 'reasoning'
  const { [chunk.id]: index, ...rest } = state.open[kind]
  const closed = replaceText(state, index, (part) => ({
    ...part,
    state: 'done',
    ...(chunk.type === 'text-end' && chunk.citations && { citations: chunk.citations }),
    ...(chunk.providerMetadata && { providerMetadata: chunk.providerMetadata }),
  }))
  return { ...closed, open: { ...state.open, [kind]: rest } }
}

type TextLike = Extract<ChatPart, { type: 'text' | 'reasoning' }>

function replaceText(
  state: Reduction,
  index: number | undefined,
  change: (part: TextLike) => TextLike,
): Reduction {
  const part = index === undefined ? undefined : state.message.parts[index]
  if (index === undefined || (part?.type !== 'text' && part?.type !== 'reasoning')) return state
  return withParts(state, state.message.parts.with(index, change(part)))
}

function resetStep(state: Reduction): Reduction {
  const start = state.message.parts.findLastIndex((part) => part.type === 'step-start')
  return { ...withParts(state, state.message.parts.slice(0, start + 1)), open: { text: {}, reasoning: {} } }
}

function reduceData(state: Reduction, chunk: DataChunk): Reduction {
  if (chunk.transient) return state
  const { parts } = state.message
  const index = parts.findIndex(
    (part) => chunk.id !== undefined && part.type === chunk.type && 'id' in part && part.id === chunk.id,
  )
  const existing = parts[index]
  if (existing === undefined) return push(state, { ...chunk })
  return withParts(state, parts.with(index, { ...existing, data: chunk.data } as ChatPart))
}

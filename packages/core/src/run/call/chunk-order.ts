import { type ChatChunk, type ChatMessage, isToolPart } from '../../domain/message/message.ts'

/** Why a call whose arguments broke off has failed. */
export const CUT = 'The call broke off before all of it was there, and was not made.'

/** Maps a chunk to the chunks that replace it. */
type Order = (chunk: ChatChunk) => ChatChunk[]

/**
 * Reorders the chunks of one model call so that the AI SDK's reducer accepts them when a provider omitted or repeated some:
 * text without a start gets one, deltas and ends of parts that are not open are dropped, and a call whose
 * arguments broke off is an error. The step ends once its calls have their outputs, so its end is left out. `message` is
 * the reply so far.
 */
export function createChunkOrder(message: () => ChatMessage): Order {
  const ofWords = orderOfWords()
  const ofCalls = orderOfCalls(message)
  return (chunk) => ofWords(chunk) ?? ofCalls(chunk)
}

/** The order of text and reasoning chunks; null for any other chunk. */
function orderOfWords(): (chunk: ChatChunk) => ChatChunk[] | null {
  const open = { text: new Set<string>(), reasoning: new Set<string>() }

  function begin(kind: keyof typeof open, chunk: ChatChunk, id: string): ChatChunk[] {
    if (open[kind].has(id)) return [{ type: `${kind}-end`, id }, chunk]
    open[kind].add(id)
    return [chunk]
  }
  function goOn(kind: keyof typeof open, chunk: ChatChunk, id: string): ChatChunk[] {
    return open[kind].has(id) ? [chunk] : [...begin(kind, { type: `${kind}-start`, id }, id), chunk]
  }

  return (chunk) => {
    switch (chunk.type) {
      case 'text-start':
        return begin('text', chunk, chunk.id)
      case 'reasoning-start':
        return begin('reasoning', chunk, chunk.id)
      case 'text-delta':
        return goOn('text', chunk, chunk.id)
      case 'reasoning-delta':
        return goOn('reasoning', chunk, chunk.id)
      case 'text-end':
        return open.text.delete(chunk.id) ? [chunk] : []
      case 'reasoning-end':
        return open.reasoning.delete(chunk.id) ? [chunk] : []
      default:
        return null
    }
  }
}

type Begun = Extract<ChatChunk, { type: 'tool-input-start' }>

function orderOfCalls(message: () => ChatMessage): Order {
  const streaming = new Map<string, { begun: Begun; input: string }>()
  const made = new Set<string>()
  const isEarlier = (id: string) =>
    message().parts.some(
      (part) => isToolPart(part) && part.toolCallId === id && part.state !== 'input-streaming',
    )

  /** A model call that has ended has no more chunks of its calls. */
  function endCalls(): ChatChunk[] {
    const cut = Array.from(streaming.values(), ({ begun, input }): ChatChunk => {
      const { type: _type, providerMetadata: _metadata, ...call } = begun
      return { ...call, type: 'tool-input-error', input, errorText: CUT }
    })
    streaming.clear()
    return cut
  }

  return (chunk) => {
    switch (chunk.type) {
      case 'tool-input-start':
        streaming.set(chunk.toolCallId, { begun: chunk, input: '' })
        made.delete(chunk.toolCallId)
        return [chunk]
      case 'tool-input-available':
      case 'tool-input-error':
        streaming.delete(chunk.toolCallId)
        made.add(chunk.toolCallId)
        return [chunk]
      case 'tool-input-delta': {
        const call = streaming.get(chunk.toolCallId)
        if (call === undefined) return []
        call.input += chunk.inputTextDelta
        return [chunk]
      }
      case 'tool-output-available':
      case 'tool-output-error':
        return made.has(chunk.toolCallId) || isEarlier(chunk.toolCallId) ? [chunk] : []
      case 'finish-step':
        return endCalls()
      default:
        return [chunk]
    }
  }
}

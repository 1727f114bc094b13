import { type ChatChunk, type ChatMessage, isToolPart } from '../domain/message.ts'

/** Answers a chunk with what may be said instead of it. */
type Order = (chunk: ChatChunk) => ChatChunk[]

/**
 * Brings the chunks of one step into an order that the AI SDK's reducer takes, whatever its provider left out or said
 * twice: words without a beginning get one, ends and pieces of what is not open are dropped. `message` is the reply
 * so far.
 */
export function createChunkOrder(message: () => ChatMessage): Order {
  const ofWords = orderOfWords()
  const ofCalls = orderOfCalls(message)
  return (chunk) => ofWords(chunk) ?? ofCalls(chunk)
}

/** Of text and of reasoning; null for what is neither. */
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

function orderOfCalls(message: () => ChatMessage): Order {
  const streaming = new Set<string>()
  const made = new Set<string>()
  const isEarlier = (id: string) =>
    message().parts.some(
      (part) => isToolPart(part) && part.toolCallId === id && part.state !== 'input-streaming',
    )

  return (chunk) => {
    switch (chunk.type) {
      case 'tool-input-start':
        streaming.add(chunk.toolCallId)
        made.delete(chunk.toolCallId)
        return [chunk]
      case 'tool-input-available':
      case 'tool-input-error':
        streaming.delete(chunk.toolCallId)
        made.add(chunk.toolCallId)
        return [chunk]
      case 'tool-input-delta':
        return streaming.has(chunk.toolCallId) ? [chunk] : []
      case 'tool-output-available':
      case 'tool-output-error':
        return made.has(chunk.toolCallId) || isEarlier(chunk.toolCallId) ? [chunk] : []
      default:
        return [chunk]
    }
  }
}

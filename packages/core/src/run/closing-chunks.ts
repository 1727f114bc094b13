import { type ChatChunk, type ChatPart, isToolPart } from '../domain/message.ts'
import { type Reduction, reduceChunk } from '../domain/message-reducer.ts'
import { CUT } from './chunk-order.ts'

const NO_OUTPUT = 'The reply failed before this call had an output; it may have run.'

/** The chunks that close a failed reply: open text and reasoning is done, calls without an output are errors. */
export function closingChunks(reduction: Reduction): ChatChunk[] {
  const { text, reasoning } = reduction.open
  const words = [
    ...Object.keys(text).map((id): ChatChunk => ({ type: 'text-end', id })),
    ...Object.keys(reasoning).map((id): ChatChunk => ({ type: 'reasoning-end', id })),
  ]
  let state = words.reduce(reduceChunk, reduction)
  const calls: ChatChunk[] = []
  for (const index of state.message.parts.keys()) {
    const part = state.message.parts[index]
    const chunk = part === undefined ? null : errorOf(part)
    if (chunk === null) continue
    const next = reduceChunk(state, chunk)
    // Of two calls under one id, a chunk finds only one.
    if (next.message.parts[index] === part || next.message.parts.length > state.message.parts.length) continue
    calls.push(chunk)
    state = next
  }
  return [...words, ...calls]
}

function errorOf(part: ChatPart): ChatChunk | null {
  if (!isToolPart(part)) return null
  const { toolCallId } = part
  switch (part.state) {
    case 'input-streaming': {
      const dynamic = part.type === 'dynamic-tool'
      return {
        type: 'tool-input-error',
        toolCallId,
        toolName: dynamic ? part.toolName : part.type.slice('tool-'.length),
        input: part.rawInput ?? '',
        errorText: CUT,
        ...(dynamic && { dynamic }),
        ...(part.title !== undefined && { title: part.title }),
        ...(part.toolMetadata !== undefined && { toolMetadata: part.toolMetadata }),
        ...(part.providerExecuted !== undefined && { providerExecuted: part.providerExecuted }),
      }
    }
    case 'input-available':
    case 'approval-requested':
    case 'approval-responded':
      return { type: 'tool-output-error', toolCallId, errorText: NO_OUTPUT }
    default:
      return null
  }
}

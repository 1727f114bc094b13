import { type ChatChunk, type ChatPart, isToolPart } from '../domain/message/message.ts'
import { type Reduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import { CUT } from './call/chunk-order.ts'

const NO_OUTPUT = 'The reply failed before this call had an output; it may have run.'
const NOT_MADE = 'The reply failed before this call was made.'
const NO_RESULT =
  'The provider, which makes this call itself, ended its answer without a result of it; it may have run.'
const NOT_DECIDED = 'The call was stopped before it ran.'

/**
 * The chunks that close a failed reply: open text and reasoning is done, calls without an output are errors. `isUnanswered`: its last
 * step has no whole answer, so that no call of ours in it was made.
 */
export function closingChunks(reduction: Reduction, isUnanswered: boolean): ChatChunk[] {
  const { text, reasoning } = reduction.open
  const words = [
    ...Object.keys(text).map((id): ChatChunk => ({ type: 'text-end', id })),
    ...Object.keys(reasoning).map((id): ChatChunk => ({ type: 'reasoning-end', id })),
  ]
  const lastStep = reduction.message.parts.findLastIndex(({ type }) => type === 'step-start')
  const isMade = (index: number) => !isUnanswered || index < lastStep
  return [
    ...words,
    ...callChunks(words.reduce(reduceChunk, reduction), (part, index) => failureOf(part, isMade(index))),
  ]
}

/** The chunks that close what a reply that is complete leaves open: calls of the provider's own without a result. */
export function unansweredCalls(reduction: Reduction): ChatChunk[] {
  return callChunks(reduction, (part) => {
    const isOpen = part.state === 'input-available' || part.state === 'approval-requested'
    return part.providerExecuted === true && isOpen ? [failed(part, NO_RESULT)] : []
  })
}

/** The chunks that close calls of an aborted reply about which nobody decided: each is denied. Others stay as they are. */
export function undecidedCalls(reduction: Reduction): ChatChunk[] {
  return callChunks(reduction, (part) => {
    if (part.state !== 'approval-requested') return []
    const response = { approvalId: part.approval.id, approved: false, reason: NOT_DECIDED }
    return [
      { type: 'tool-approval-response', ...response },
      { type: 'tool-output-denied', toolCallId: part.toolCallId },
    ]
  })
}

type CallPart = Extract<ChatPart, { toolCallId: string }>

/** The chunks that close calls; of two calls under one id, a chunk finds only one. */
function callChunks(
  reduction: Reduction,
  close: (part: CallPart, index: number) => readonly ChatChunk[],
): ChatChunk[] {
  let state = reduction
  const calls: ChatChunk[] = []
  for (const index of state.message.parts.keys()) {
    const part = state.message.parts[index]
    const chunks = part !== undefined && isToolPart(part) ? close(part, index) : []
    if (chunks.length === 0) continue
    const next = chunks.reduce(reduceChunk, state)
    if (next.message.parts[index] === part || next.message.parts.length > state.message.parts.length) continue
    calls.push(...chunks)
    state = next
  }
  return calls
}

function failureOf(part: CallPart, isMade: boolean): ChatChunk[] {
  switch (part.state) {
    case 'input-streaming':
      return [cutOff(part)]
    case 'input-available':
    case 'approval-responded':
      if (part.providerExecuted === true) return [failed(part, NO_RESULT)]
      return [failed(part, isMade ? NO_OUTPUT : NOT_MADE)]
    case 'approval-requested':
      return [failed(part, NOT_MADE)]
    default:
      return []
  }
}

function failed({ toolCallId }: CallPart, errorText: string): ChatChunk {
  return { type: 'tool-output-error', toolCallId, errorText }
}

function cutOff(part: Extract<CallPart, { state: 'input-streaming' }>): ChatChunk {
  const dynamic = part.type === 'dynamic-tool'
  return {
    type: 'tool-input-error',
    toolCallId: part.toolCallId,
    toolName: dynamic ? part.toolName : part.type.slice('tool-'.length),
    input: part.rawInput ?? '',
    errorText: CUT,
    ...(dynamic && { dynamic }),
    ...(part.title !== undefined && { title: part.title }),
    ...(part.toolMetadata !== undefined && { toolMetadata: part.toolMetadata }),
    ...(part.providerExecuted !== undefined && { providerExecuted: part.providerExecuted }),
  }
}

import { toolNameOf } from '../context/hosted-calls.ts'
import { isUnfinished } from '../domain/message/last-turn-message.ts'
import { type ChatPart, isToolPart, type MessageMetadata, type Role } from '../domain/message/message.ts'
import type { ToolCall } from './call/answer-chunks.ts'
import { NO_REPETITION, observeCalls, type Repetition } from './doom-loop.ts'

type Parts = readonly { data: ChatPart }[]
type Turn = { role: Role; metadata: MessageMetadata; parts: Parts }

/** The calls of our tools in a reply, step by step. */
export function callsOfSteps(parts: Parts): ToolCall[][] {
  const steps: ToolCall[][] = []
  for (const { data } of parts) {
    if (data.type === 'step-start') steps.push([])
    else if (isToolPart(data) && data.providerExecuted !== true)
      steps.at(-1)?.push({ name: toolNameOf(data), input: data.input })
  }
  return steps
}

type Begun = {
  start: { continues?: boolean; trigger: { type: string } }
  reply: { metadata: MessageMetadata } | null
}

/** The repetition with which a run begins: none after a new message of a person. */
export function carriedInto({ start, reply }: Begun, visible: readonly Turn[]): Repetition {
  const goesOn = start.continues === true || start.trigger.type === 'queued'
  const counts = reply === null ? goesOn : reply.metadata.countsOn === true
  return counts ? carriedRepetition(visible) : NO_REPETITION
}

/**
 * The repetition with which a run begins that no new message of a person has started: that of the last reply, when it was
 * cut short, with those of the replies that it counted on from. `visible` is the conversation before the run, in order.
 */
export function carriedRepetition(visible: readonly Turn[]): Repetition {
  const replies = visible.filter(isReply)
  if (!isUnfinished(replies.at(-1))) return NO_REPETITION
  const first = replies.findLastIndex(({ metadata }) => metadata.countsOn !== true)
  const counted = replies.slice(Math.max(0, first))
  return counted.flatMap(({ parts }) => callsOfSteps(parts)).reduce(observeCalls, NO_REPETITION)
}

function isReply({ role, metadata }: Turn): boolean {
  return role === 'assistant' && metadata.compactionId === undefined && metadata.synthetic !== true
}

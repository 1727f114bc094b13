import { toolNameOf } from '../context/hosted-calls.ts'
import {
  type ChatPart,
  isToolPart,
  type MessageMetadata,
  type StoredMessage,
} from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { modelCost } from '../domain/model/model-cost.ts'
import type { TokenCounts } from '../domain/model/usage.ts'
import {
  INSPECT_LIMITS,
  type InspectedCall,
  type InspectedDecision,
  type InspectedMessage,
  type InspectedStep,
} from '../domain/session/inspection.ts'

type CallPart = Extract<ChatPart, { toolCallId: string }>

/** A message as the timeline of steps shows it. `pricesOf` returns null for a model that is not there any more. */
export function inspectMessage(
  { id, role, metadata, parts, hiddenAt, createdAt }: StoredMessage,
  pricesOf: (model: MessageMetadata['model']) => ModelInfo['prices'] | null,
): InspectedMessage {
  const prices = pricesOf(metadata.model)
  const costOf = (tokens: TokenCounts | null) =>
    tokens === null || prices === null ? null : modelCost(tokens, prices)
  const { steps, callsLeftOut } = stepsOf(
    parts.map(({ data }) => data),
    metadata,
    costOf,
  )
  return {
    id,
    role,
    createdAt,
    text: textOf(parts.map(({ data }) => data)),
    hidden: hiddenAt !== null,
    runId: metadata.runId ?? null,
    model: metadata.model ?? null,
    finishReason: metadata.finishReason ?? null,
    usage: metadata.usage ?? null,
    costUsd: costOf(metadata.usage ?? null),
    durationMs: metadata.durationMs ?? null,
    systemPromptDigest: metadata.systemPromptDigest ?? null,
    steps: steps.slice(0, INSPECT_LIMITS.steps),
    stepsLeftOut: Math.max(0, steps.length - INSPECT_LIMITS.steps),
    callsLeftOut,
  }
}

function stepsOf(
  parts: readonly ChatPart[],
  { stepFigures = {}, partDurationsMs = {} }: MessageMetadata,
  costOf: (tokens: TokenCounts | null) => number | null,
): { steps: InspectedStep[]; callsLeftOut: number } {
  const steps: InspectedStep[] = []
  let calls = 0
  for (const [index, part] of parts.entries()) {
    if (part.type === 'step-start') {
      const no = steps.length + 1
      const { tokens = null, unknown = false, durationMs = null, finishReason = null } = stepFigures[no] ?? {}
      steps.push({ no, tokens, unknown, costUsd: costOf(tokens), durationMs, finishReason, calls: [] })
    } else if (isToolPart(part)) {
      calls += 1
      if (calls <= INSPECT_LIMITS.calls)
        steps.at(-1)?.calls.push(callOf(part, partDurationsMs[index] ?? null))
    }
  }
  return { steps, callsLeftOut: Math.max(0, calls - INSPECT_LIMITS.calls) }
}

function callOf(part: CallPart, durationMs: number | null): InspectedCall {
  const { toolCallId, state } = part
  return { toolCallId, tool: toolNameOf(part), state, durationMs, decision: decisionOf(part) }
}

function decisionOf({ approval }: CallPart): InspectedDecision | null {
  if (approval === undefined) return null
  const { approved = null, isAutomatic = false, reason = null } = approval
  return { approved, automatic: isAutomatic, reason }
}

function textOf(parts: readonly ChatPart[]): string {
  const text = parts.find((part) => part.type === 'text' && part.text.trim() !== '')
  if (text?.type !== 'text') return ''
  return text.text.trim().slice(0, INSPECT_LIMITS.text).toWellFormed()
}

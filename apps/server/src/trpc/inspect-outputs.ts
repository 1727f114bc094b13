import type {
  InspectedJson,
  InspectedMessage,
  InspectedRow,
  InspectedStep,
  InspectedTools,
  MessageUsage,
  ModelRef,
  TokenCounts,
} from '@palimpsest/core/domain'
import type { Page } from '@palimpsest/core/ports'
import { z } from 'zod'

const count = z.number()
const countOrNull = count.nullable()
const text = z.string()
const textOrNull = text.nullable()
const role = z.enum(['user', 'assistant', 'system'])

const model: z.ZodType<ModelRef> = z.looseObject({
  providerId: text,
  modelId: text,
  variant: text.exactOptional(),
})
const counts = { input: count, output: count, reasoning: count, cacheRead: count, cacheWrite: count }
const tokens: z.ZodType<TokenCounts> = z.looseObject(counts)
const usage: z.ZodType<MessageUsage> = z.looseObject({
  ...counts,
  steps: count,
  unknown: z.literal(true).exactOptional(),
})

const call = z.looseObject({
  toolCallId: text,
  tool: text,
  state: text,
  durationMs: countOrNull,
  decision: z
    .looseObject({ approved: z.boolean().nullable(), automatic: z.boolean(), reason: textOrNull })
    .nullable(),
})
const step: z.ZodType<InspectedStep> = z.looseObject({
  no: count,
  tokens: tokens.nullable(),
  unknown: z.boolean(),
  costUsd: countOrNull,
  durationMs: countOrNull,
  finishReason: textOrNull,
  calls: z.array(call),
})
const message: z.ZodType<InspectedMessage> = z.looseObject({
  id: text,
  role,
  createdAt: count,
  text,
  hidden: z.boolean(),
  runId: textOrNull,
  model: model.nullable(),
  finishReason: z.custom<InspectedMessage['finishReason']>(
    (value) => value === null || typeof value === 'string',
  ),
  usage: usage.nullable(),
  costUsd: countOrNull,
  durationMs: countOrNull,
  systemPromptDigest: textOrNull,
  steps: z.array(step),
  stepsLeftOut: count,
  callsLeftOut: count,
})

const json: z.ZodType<InspectedJson> = z.looseObject({ json: text, characters: count })
const part = z.looseObject({
  json: text,
  characters: count,
  id: text,
  index: count,
  type: text,
  prunedAt: countOrNull,
})
const row: z.ZodType<InspectedRow> = z.looseObject({
  id: text,
  seq: countOrNull,
  role,
  metadata: json,
  hiddenAt: countOrNull,
  hiddenBy: textOrNull,
  queuedAt: countOrNull,
  createdAt: count,
  updatedAt: count,
  parts: z.array(part),
  partsLeftOut: count,
})

const messages: z.ZodType<Page<InspectedMessage>> = z.looseObject({
  items: z.array(message),
  nextCursor: textOrNull,
})
const rows: z.ZodType<Page<InspectedRow>> = z.looseObject({ items: z.array(row), nextCursor: textOrNull })
const tools: z.ZodType<InspectedTools> = z.looseObject({
  digest: text,
  items: z.array(z.looseObject({ id: text, description: text })),
  leftOut: count,
})

/** The outputs of the procedures that look into a session. */
export const inspectOutputs = {
  inspectedMessages: messages,
  inspectedTools: tools,
  inspectedRows: rows,
}

import type { SendResult, UsageReport } from '@palimpsest/core'
import {
  type ChatMessage,
  CONTENT_KINDS,
  type ContextWindow,
  ERROR_CODES,
  type JsonObject,
  type MessageUsage,
  type ModelInfo,
  type ModelRef,
  type PendingPermission,
  type PendingQuestion,
  type Session,
  type SessionMetadata,
  type SessionStatus,
  type SessionUsage,
  type SessionView,
} from '@palimpsest/core/domain'
import type { Page, SearchHit } from '@palimpsest/core/ports'
import { z } from 'zod'
import type { SystemInfo } from './context.ts'

const count = z.number()
const time = z.number()
const text = z.string()
const textOrNull = text.nullable()

const modelRef: z.ZodType<ModelRef> = z.looseObject({
  providerId: text,
  modelId: text,
  variant: text.exactOptional(),
})

const usageColumns = {
  promptTokens: count,
  completionTokens: count,
  reasoningTokens: count,
  cacheRead: count,
  cacheWrite: count,
  totalTokens: count,
  costUsd: count.nullable(),
}

const sessionRow = z.looseObject({
  ...usageColumns,
  id: text,
  title: text,
  agent: text,
  workspaceRoot: textOrNull,
  workerId: textOrNull,
  model: modelRef,
  parentId: textOrNull,
  parentMessageId: textOrNull,
  permissions: z.array(z.custom<JsonObject>(isObject)),
  metadata: z.custom<SessionMetadata>(isObject),
  contextTokens: count,
  revision: count,
  createdAt: time,
  updatedAt: time,
  archivedAt: time.nullable(),
  deletedAt: time.nullable(),
})

const session: z.ZodType<Session> = sessionRow
const usage: z.ZodType<SessionUsage> = z.looseObject(usageColumns)

const status: z.ZodType<SessionStatus> = z.discriminatedUnion('state', [
  z.looseObject({ state: z.literal('idle') }),
  z.looseObject({
    state: z.literal('busy'),
    runId: text,
    startedAt: time,
  }),
  z.looseObject({
    state: z.literal('waiting'),
    runId: text,
    startedAt: time,
    waitingOn: z.enum(['approval', 'answer']),
  }),
  z.looseObject({
    state: z.literal('retrying'),
    runId: text,
    startedAt: time,
    attempt: count,
    message: text,
    retryAt: time,
  }),
  z.looseObject({ state: z.literal('error'), runId: text, code: z.enum(ERROR_CODES), message: text }),
])

const contextWindow: z.ZodType<ContextWindow> = z.looseObject({
  used: count,
  limit: count.nullable(),
  usable: count.nullable(),
  estimated: z.boolean(),
})

const sessionView: z.ZodType<SessionView> = sessionRow.extend({
  status,
  usage,
  contextWindow,
  activeRun: z.looseObject({ runId: text, messageId: textOrNull }).exactOptional(),
  canUnrewind: z.boolean(),
})

/** Parts are the AI SDK's own: kinds that are newer than this schema are accepted. */
const message = z.custom<ChatMessage>(
  (value) => isObject(value) && typeof value['id'] === 'string' && Array.isArray(value['parts']),
)

const price = count.nullable()
const modelInfo: z.ZodType<ModelInfo> = z.looseObject({
  providerId: text,
  providerLabel: text,
  modelId: text,
  label: text,
  contextLimit: count.nullable(),
  maxOutput: count.nullable(),
  prices: z.looseObject({ input: price, output: price, cacheRead: price, cacheWrite: price }),
  inputs: z.array(z.enum(['text', 'image', 'pdf', 'audio', 'video'])),
  tools: z.boolean(),
  reasoning: z.boolean(),
  variants: z.array(z.looseObject({ id: text, label: text })),
  cheap: z.boolean(),
  demo: z.boolean(),
})

const tokens: z.ZodType<MessageUsage> = z.looseObject({
  input: count,
  output: count,
  reasoning: count,
  cacheRead: count,
  cacheWrite: count,
  steps: count,
  unknown: z.literal(true).exactOptional(),
})

const usageReport: z.ZodType<UsageReport> = z.looseObject({
  rows: z.array(z.looseObject({ model: modelRef.nullable(), day: text, messages: count, usage: tokens })),
  counts: z.looseObject({ sessions: count, messages: count }),
})

const searchHit: z.ZodType<SearchHit> = z.looseObject({
  sessionId: text,
  sessionTitle: text,
  messageId: text,
  role: z.enum(['user', 'assistant', 'system']),
  snippet: text,
  createdAt: time,
})

const sendResult: z.ZodType<SendResult> = z.looseObject({
  messageId: text,
  runId: text.exactOptional(),
  queued: z.boolean(),
})

const systemInfo: z.ZodType<SystemInfo> = z.looseObject({
  name: text,
  version: text,
  runtime: text,
  startedAt: time,
  activeRuns: count,
  snapshots: z.boolean(),
  workspaces: z.array(text),
  limits: z.record(text, count),
  setup: z.looseObject({ variables: z.array(text), configFile: text }),
})

const asked = {
  id: text,
  sessionId: text,
  rootSessionId: text,
  runId: text,
  messageId: text,
  toolCallId: text,
  createdAt: time,
}

const pendingPermission: z.ZodType<PendingPermission> = z.looseObject({
  ...asked,
  tool: text,
  args: z.looseObject({}),
  reason: text,
  patterns: z.array(text),
})

const pendingQuestion: z.ZodType<PendingQuestion> = z.looseObject({
  ...asked,
  questions: z.array(
    z.looseObject({
      question: text,
      options: z.array(z.looseObject({ label: text, description: text.exactOptional() })),
      multiple: z.boolean().exactOptional(),
    }),
  ),
})

/**
 * The outputs of procedures. Objects are open, so that fields can be added. Subscriptions carry the AI SDK's chunks and the
 * core's events unchanged.
 */
export const outputs = {
  session,
  sessions: pageOf(session),
  sessionView,
  status,
  message,
  messages: pageOf(message),
  queue: z.array(message),
  pendingPermissions: z.looseObject({ items: z.array(pendingPermission) }),
  pendingQuestions: z.looseObject({ items: z.array(pendingQuestion) }),
  replied: z.looseObject({ replied: z.boolean() }),
  sendResult,
  run: z.looseObject({ runId: text }),
  aborted: z.looseObject({ aborted: z.boolean() }),
  deleted: z.looseObject({ deleted: z.boolean() }),
  purged: z.looseObject({ purged: z.boolean() }),
  cancelled: z.looseObject({ cancelled: z.boolean() }),
  systemPrompt: z.looseObject({ digest: text, body: text }),
  windowContent: z.record(z.enum(CONTENT_KINDS), z.int().nonnegative()),
  models: z.looseObject({ models: z.array(modelInfo), defaultModel: modelRef }),
  usageReport,
  searchHits: pageOf(searchHit),
  systemInfo,
}

function pageOf<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.looseObject({ items: z.array(item), nextCursor: textOrNull })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

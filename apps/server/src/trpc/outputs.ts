import type { AgentView, BackgroundCommand, SendResult, UsageReport } from '@palimpsest/core'
import {
  type AppSettings,
  type ChatMessage,
  CONTENT_KINDS,
  type ContextWindow,
  ERROR_CODES,
  type JsonObject,
  MESSAGE_LAYERS,
  type MessageUsage,
  type ModelInfo,
  type ModelRef,
  PROVIDER_KINDS,
  type PromptLine,
  type ProviderTest,
  type ProviderView,
  type Session,
  type SessionMetadata,
  type SessionStatus,
  type SessionUsage,
  type SessionView,
} from '@palimpsest/core/domain'
import type { Page, SearchHit } from '@palimpsest/core/ports'
import { z } from 'zod'
import { askOutputs } from './ask-outputs.ts'
import { budgetOutputs } from './budget-outputs.ts'
import type { SystemInfo } from './context.ts'
import { hookOutputs } from './hook-outputs.ts'
import { inspectOutputs } from './inspect-outputs.ts'
import { mcpOutputs } from './mcp-outputs.ts'

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

export const contextWindow: z.ZodType<ContextWindow> = z.looseObject({
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
  keepsFiles: z.boolean(),
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

const agentView: z.ZodType<AgentView> = z.looseObject({
  id: text,
  description: text,
  mode: z.enum(['primary', 'subagent', 'all']),
  tools: z.array(text),
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
  layer: z.enum(MESSAGE_LAYERS),
  snippet: text,
  createdAt: time,
})

const promptLine: z.ZodType<PromptLine> = z.looseObject({
  messageId: text,
  text,
  layer: z.enum(MESSAGE_LAYERS),
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
  defaultWorkspace: textOrNull,
  demoWorkspace: textOrNull,
  asksWithoutFolder: z.boolean(),
  sandbox: z.looseObject({ kind: z.enum(['bwrap', 'srt', 'none']), reason: text.exactOptional() }),
  limits: z.record(text, count),
  setup: z.looseObject({ variables: z.array(text), configFile: text }),
})

const settings: z.ZodType<AppSettings> = z.looseObject({
  defaultModel: modelRef.nullable(),
  instructions: text,
  proposeMemories: z.boolean(),
})

const providerRow = z.looseObject({
  id: text,
  kind: z.enum(PROVIDER_KINDS),
  label: text,
  baseURL: textOrNull,
  hasKey: z.boolean(),
  source: z.enum(['environment', 'file', 'settings']),
  models: z.array(text),
  listed: z.array(text),
  problem: z.enum(['key-missing', 'key-unreadable', 'overridden']).nullable(),
})

const provider: z.ZodType<ProviderView> = providerRow
const providerTest: z.ZodType<ProviderTest> = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true), models: z.array(text) }),
  z.looseObject({ ok: z.literal(false), message: text }),
])

const backgroundCommand: z.ZodType<BackgroundCommand> = z.looseObject({
  id: text,
  sessionId: text,
  command: text,
  startedAt: time,
  exit: z.looseObject({ code: count.nullable(), signal: textOrNull }).nullable(),
})

/**
 * The outputs of procedures. Objects are open, so that fields can be added. Subscriptions carry the AI SDK's chunks and the
 * core's events unchanged.
 */
export const outputs = {
  session,
  located: z.looseObject({ session, found: z.enum(['message', 'session']) }).nullable(),
  sessions: pageOf(session),
  sessionView,
  status,
  message,
  messages: pageOf(message),
  queue: z.array(message),
  ...askOutputs,
  ...mcpOutputs,
  ...budgetOutputs,
  files: z.looseObject({ paths: z.array(text) }),
  ...hookOutputs,
  ...inspectOutputs,
  processes: z.looseObject({ items: z.array(backgroundCommand) }),
  processOutput: z.looseObject({ command: backgroundCommand, text, from: count, length: count }),
  stopped: z.looseObject({ stopped: z.boolean() }),
  sendResult,
  run: z.looseObject({ runId: text }),
  aborted: z.looseObject({ aborted: z.boolean() }),
  deleted: z.looseObject({ deleted: z.boolean() }),
  purged: z.looseObject({ purged: z.boolean() }),
  cancelled: z.looseObject({ cancelled: z.boolean() }),
  systemPrompt: z.looseObject({ digest: text, body: text }),
  windowContent: z.record(z.enum(CONTENT_KINDS), z.int().nonnegative()),
  heaviest: z.array(
    z.looseObject({
      messageId: z.string(),
      role: z.enum(['user', 'assistant']),
      text: z.string(),
      tokens: count,
      place: count,
    }),
  ),
  agents: z.looseObject({ items: z.array(agentView) }),
  models: z.looseObject({ models: z.array(modelInfo), defaultModel: modelRef, chosen: z.boolean() }),
  settings,
  providers: z.looseObject({ items: z.array(provider) }),
  enteredProvider: providerRow.extend({ test: providerTest }),
  providerTest,
  storage: z.looseObject({
    bytes: count,
    freeBytes: count,
    sessions: count,
    messages: count,
    inBin: count,
  }),
  removed: z.looseObject({ removed: z.boolean() }),
  usageReport,
  searchHits: pageOf(searchHit),
  prompts: pageOf(promptLine),
  systemInfo,
}

function pageOf<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.looseObject({ items: z.array(item), nextCursor: textOrNull })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

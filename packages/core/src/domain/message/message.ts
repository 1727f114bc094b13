import type { UIMessage, UIMessageChunk } from 'ai'
import type { ErrorCode } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { BudgetUse, Spending } from '../model/budget.ts'
import type { ModelRef } from '../model/model.ts'
import type { MessageUsage, StepFigures } from '../model/usage.ts'
import type { TaskEnd } from '../permission/ask.ts'
import type { CountedWindow } from '../window/counted-window.ts'
import type { PromptLeftOut } from '../window/prompt-left-out.ts'
import type { FileSpan } from '../workspace/file-span.ts'
import type { CondensedOutputs } from './condensed-output.ts'
import type { SentReminder } from './reminder.ts'

export type Role = 'user' | 'assistant' | 'system'

export type FinishReason =
  | 'stop'
  | 'length'
  | 'content-filter'
  | 'tool-calls'
  | 'error'
  | 'other'
  /** Aborted by a user or a caller. */
  | 'aborted'
  /** The host died in the middle of the run. */
  | 'interrupted'
  | 'max-steps'
  | 'doom-loop'
  | 'budget'

/** Metadata of a message as it travels; stored under the same keys in snake_case. */
export type MessageMetadata = {
  schemaVersion: 1
  createdAt: number
  /** The run that a user message started, or that wrote an assistant message. */
  runId?: string
  model?: ModelRef
  agent?: string
  usage?: MessageUsage
  finishReason?: FinishReason
  error?: { code: ErrorCode; message: string }
  /** The limit that ended the run. */
  budget?: BudgetUse
  /** What the run had spent, without its subagents, when it began to wait or ended before them. */
  spent?: Spending
  systemPromptDigest?: string
  /** Paths of instruction files that the system prompt does not hold whole. */
  instructionsCut?: string[]
  /** What the requests of the reply leave out in a small window, at the first reply for which that holds. */
  promptLeftOut?: PromptLeftOut
  /** What its model calls were reminded of, in order. */
  reminders?: SentReminder[]
  /** Milliseconds that the run took, and that single parts took, by the part's index. */
  durationMs?: number
  partDurationsMs?: Record<string, number>
  /** Each model call of a reply, by the number of its step from 1. */
  stepFigures?: Record<string, StepFigures>
  /** Repeated calls count on from the reply before it: no new message of a person started the run. */
  countsOn?: true
  /** The state of the workspace that a user message was sent in. */
  snapshotId?: string
  /** The states of the workspace that a reply's run led from and to, when it changed files. */
  workspace?: FileSpan
  trigger?: string
  /** What hooks have added to a user message. */
  hooks?: JsonObject
  synthetic?: true
  /** The result of a subagent in the background, which its message holds as text. */
  subagentResult?: { sessionId: string; agent: string; outcome: TaskEnd['outcome'] }
  /** What the window held after the message's last step. */
  window?: CountedWindow
  /** The compaction that a summary belongs to. */
  compactionId?: string
  summary?: true
  /** A queued message that enters the current run at its next step boundary. */
  steer?: boolean
  /** The reply was stopped together with the queue, which waits for a user. */
  pausedQueue?: true
  /** The model does not see it, by request. */
  leftOut?: true
  /** Shorter forms of outputs, which the model sees in their place. */
  condensed?: CondensedOutputs
  /** Places of parts whose output the model sees as a stub; sent to clients, not stored. */
  prunedParts?: number[]
  /** Present on hidden messages, when they were asked for. */
  hiddenAt?: number
  hiddenBy?: string
}

/** A message as clients see it: an AI SDK `UIMessage` with our metadata. */
export type ChatMessage = UIMessage<MessageMetadata>
export type ChatPart = ChatMessage['parts'][number]
export type ChatChunk = UIMessageChunk<MetadataPatch>

/** Metadata that a chunk adds to a message; the reducer merges it in. */
export type MetadataPatch = Partial<MessageMetadata>

/** A row of `chat_messages` with its parts. `seq` is null while the message is queued. */
export type StoredMessage = {
  id: string
  sessionId: string
  seq: number | null
  role: Role
  metadata: MessageMetadata
  parts: StoredPart[]
  hiddenAt: number | null
  hiddenBy: string | null
  queuedAt: number | null
  createdAt: number
  updatedAt: number
}

/** A row of `chat_parts`. `data` is the whole part and comes back byte-identical. */
export type StoredPart = {
  id: string
  index: number
  data: ChatPart
  prunedAt: number | null
}

/** The stored message as clients see it. */
export function toChatMessage(stored: StoredMessage): ChatMessage {
  const hidden =
    stored.hiddenAt === null ? {} : { hiddenAt: stored.hiddenAt, hiddenBy: stored.hiddenBy ?? 'unknown' }
  const pruned = stored.parts.filter(({ prunedAt }) => prunedAt !== null).map(({ index }) => index)
  return {
    id: stored.id,
    role: stored.role,
    metadata: { ...stored.metadata, ...hidden, ...(pruned.length > 0 && { prunedParts: pruned }) },
    parts: stored.parts.map((part) => part.data),
  }
}

export function isToolPart(part: ChatPart): part is Extract<ChatPart, { toolCallId: string }> {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

type OwnCall = Extract<ChatPart, { toolCallId: string }> & { providerExecuted?: false | undefined }

/** True for a call of one of our tools. A call that its provider executed is none, whatever its name and output are. */
export function isOwnCall(part: ChatPart): part is OwnCall {
  return isToolPart(part) && part.providerExecuted !== true
}

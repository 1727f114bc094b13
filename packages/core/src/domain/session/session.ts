import type { JsonObject } from '../json/json.ts'
import type { ModelRef } from '../model/model.ts'
import type { ContextWindow } from '../window/context-window.ts'
import type { SessionStatus } from './status.ts'

export const DEFAULT_TITLE = 'New chat'

/** The agent of a session that names none. */
export const DEFAULT_AGENT_ID = 'assistant'

/** Days that a deleted session is kept in the bin. */
export const BIN_DAYS = 30

/** A row of `chat_sessions`. Times are epoch milliseconds, token columns sums over its assistant messages. */
export type Session = {
  id: string
  title: string
  agent: string
  workspaceRoot: string | null
  workerId: string | null
  model: ModelRef
  parentId: string | null
  parentMessageId: string | null
  permissions: JsonObject[]
  metadata: SessionMetadata
  promptTokens: number
  completionTokens: number
  reasoningTokens: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** Occupancy of the context window after the last visible step. */
  contextTokens: number
  /** Null while no writer has supplied any cost; the core computes none. */
  costUsd: number | null
  /** Grows with every change of the row or its history. */
  revision: number
  createdAt: number
  updatedAt: number
  archivedAt: number | null
  /** When it was moved to the bin. */
  deletedAt: number | null
}

/**
 * `titledBy` says where the title comes from: a person, the first words of a message, a model, or a branch's parent. A
 * generated title replaces only first words, never a person's; `contextEstimated` that
 * no provider has counted all of `contextTokens` yet; `prunedCopies` that outputs among the copies it began with are pruned.
 * `compaction` overrides the compaction settings. `subagent` marks the session of a subagent's run.
 */
export type SessionMetadata = JsonObject & {
  ephemeral?: true
  subagent?: SubagentFacts
  titledBy?: TitleSource
  contextEstimated?: true
  prunedCopies?: true
  compaction?: JsonObject
}

/** What makes a session that of a subagent's run. */
export type SubagentFacts = {
  /** The sessions above it: first the root, in which a person talks, last its parent, whose run has started it. */
  ancestors: string[]
  /** The agent of the run that started it. */
  callerAgent: string
  /** What its caller waits with for its end; null for one in the background. */
  askId: string | null
  /** In the background: its result is not in its parent's history yet. */
  undelivered?: true
}

/** The session whose page shows what a session asks: the root of its subagents, or itself. */
export function rootOf({ id, metadata }: Pick<Session, 'id' | 'metadata'>): string {
  return metadata.subagent?.ancestors[0] ?? id
}

/** The sessions above that of a subagent, from the root to its parent. */
export function ancestorsOf({ metadata }: Pick<Session, 'metadata'>): readonly string[] {
  return metadata.subagent?.ancestors ?? []
}

export const TITLE_SOURCES = ['user', 'generated', 'first-words', 'parent'] as const

export type TitleSource = (typeof TITLE_SOURCES)[number]

export type SessionUsage = Pick<
  Session,
  | 'promptTokens'
  | 'completionTokens'
  | 'reasoningTokens'
  | 'cacheRead'
  | 'cacheWrite'
  | 'totalTokens'
  | 'costUsd'
>

/** The result of `session.get`: the row, with the session's status and usage beside it. */
export type SessionView = Session & {
  status: SessionStatus
  usage: SessionUsage
  contextWindow: ContextWindow
  activeRun?: { runId: string; messageId: string | null }
  canUnrewind: boolean
  /** Whether a rewind restores the files of its folder. */
  keepsFiles: boolean
}

export function sessionUsage(session: Session): SessionUsage {
  const { promptTokens, completionTokens, reasoningTokens, cacheRead, cacheWrite, totalTokens, costUsd } =
    session
  return { promptTokens, completionTokens, reasoningTokens, cacheRead, cacheWrite, totalTokens, costUsd }
}

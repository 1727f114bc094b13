import {
  isObject,
  type JsonObject,
  MODEL_KEYS,
  type ModelRef,
  parseBounded,
  parseStored,
  readable,
  SESSION_METADATA,
  SESSION_METADATA_KEYS,
  type Session,
  type SessionMetadata,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { ChatSession } from '../generated/client.ts'
import { type SessionCopies, sessionCopies } from './copied-columns.ts'
import { toNumber, toTime } from './numbers.ts'
import { toOptionalText, toText } from './stored-text.ts'
import type { NoteUnreadable } from './unreadable-rows.ts'

const UNKNOWN_MODEL: ModelRef = { providerId: 'unknown', modelId: 'unknown' }

/** The columns of `chat_sessions` that a session is read from. */
export type SessionRow = Omit<
  ChatSession,
  'ephemeral' | 'contextEstimated' | 'lastSeq' | 'rootId' | 'undelivered'
>

/** A row of `chat_sessions` as a session of the domain. Unreadable JSON reads as empty and unreadable numbers as 0, so that the session still opens. */
export function toSession(row: SessionRow, note: NoteUnreadable): Session {
  const model = readModel(row.modelJson)
  const metadata = parseStored(row.metadataJson, SESSION_METADATA_KEYS)
  if (model === null || metadata === null) note({ table: 'chat_sessions', id: row.id, sessionId: row.id })
  return {
    id: row.id,
    title: toText(row.title),
    agent: toText(row.agent),
    workspaceRoot: toOptionalText(row.workspaceRoot),
    workerId: toOptionalText(row.workerId),
    model: model ?? UNKNOWN_MODEL,
    parentId: toOptionalText(row.parentId),
    parentMessageId: toOptionalText(row.parentMessageId),
    permissions: readPermissions(row.permissionsJson),
    // Our own keys hold what `SessionMetadata` says, and its caller's any JSON.
    metadata: readable(metadata ?? {}, SESSION_METADATA) as SessionMetadata,
    promptTokens: toNumber(row.promptTokens),
    completionTokens: toNumber(row.completionTokens),
    reasoningTokens: toNumber(row.reasoningTokens),
    cacheRead: toNumber(row.cacheRead),
    cacheWrite: toNumber(row.cacheWrite),
    totalTokens: toNumber(row.totalTokens),
    contextTokens: toNumber(row.contextTokens),
    // The column is 0 by default; no provider reports a cost of 0.
    costUsd: row.costUsd === 0 ? null : toNumber(row.costUsd),
    revision: toNumber(row.revision),
    createdAt: toNumber(row.createdAt),
    updatedAt: toNumber(row.updatedAt),
    archivedAt: toTime(row.archivedAt),
    deletedAt: toTime(row.deletedAt),
  }
}

export function writeModel(model: ModelRef): string {
  return stringifyStored(model, MODEL_KEYS)
}

function readModel(json: string): ModelRef | null {
  const { providerId, modelId, variant } = parseStored(json, MODEL_KEYS) ?? {}
  if (typeof providerId !== 'string' || typeof modelId !== 'string') return null
  return { providerId, modelId, ...(typeof variant === 'string' ? { variant } : {}) }
}

/** The columns that a session's metadata fills. */
export function sessionMetadataColumns(metadata: SessionMetadata): SessionCopies & { metadata_json: string } {
  return { metadata_json: stringifyStored(metadata, SESSION_METADATA_KEYS), ...sessionCopies(metadata) }
}

function readPermissions(json: string): JsonObject[] {
  const value = parseBounded(json)
  // JSON text holds nothing but JSON values.
  return Array.isArray(value) ? (value.filter(isObject) as JsonObject[]) : []
}

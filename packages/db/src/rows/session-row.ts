import {
  isObject,
  type JsonObject,
  MODEL_KEYS,
  type ModelRef,
  parseStored,
  SESSION_METADATA_KEYS,
  type Session,
  type SessionMetadata,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { ChatSession } from '../generated/client.ts'

/** A row of `chat_sessions` as the domain knows it. Unreadable JSON reads as empty, so that the session still opens. */
export function toSession(row: ChatSession): Session {
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    workspaceRoot: row.workspaceRoot,
    workerId: row.workerId,
    model: readModel(row.modelJson),
    parentId: row.parentId,
    parentMessageId: row.parentMessageId,
    permissions: readPermissions(row.permissionsJson),
    metadata: readSessionMetadata(row.metadataJson),
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    reasoningTokens: Number(row.reasoningTokens),
    cacheRead: Number(row.cacheRead),
    cacheWrite: Number(row.cacheWrite),
    totalTokens: Number(row.totalTokens),
    contextTokens: Number(row.contextTokens),
    // The column begins at 0; nobody supplies a cost of nothing.
    costUsd: row.costUsd === 0 ? null : row.costUsd,
    revision: Number(row.revision),
    createdAt: Number(row.createdAt),
    updatedAt: Number(row.updatedAt),
    archivedAt: toTime(row.archivedAt),
  }
}

export function toTime(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}

export function writeModel(model: ModelRef): string {
  return stringifyStored(model, MODEL_KEYS)
}

function readModel(json: string): ModelRef {
  const { providerId, modelId, variant } = parseStored(json, MODEL_KEYS) ?? {}
  if (typeof providerId !== 'string' || typeof modelId !== 'string') {
    return { providerId: 'unknown', modelId: 'unknown' }
  }
  return { providerId, modelId, ...(typeof variant === 'string' ? { variant } : {}) }
}

export function writeSessionMetadata(metadata: SessionMetadata): string {
  return stringifyStored(metadata, SESSION_METADATA_KEYS)
}

function readSessionMetadata(json: string): SessionMetadata {
  // Only `writeSessionMetadata` writes the column.
  return (parseStored(json, SESSION_METADATA_KEYS) ?? {}) as SessionMetadata
}

function readPermissions(json: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(json)
    // JSON text holds nothing but JSON values.
    return Array.isArray(value) ? (value.filter(isObject) as JsonObject[]) : []
  } catch {
    return []
  }
}

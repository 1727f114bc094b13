import {
  createExportReader,
  type ExportRow,
  type ExportRows,
  exportedIds,
  HISTORY_DETAIL_KEYS,
  type HistoryOperation,
  MESSAGE_METADATA_KEYS,
  MODEL_KEYS,
  parseStored,
  SESSION_METADATA_KEYS,
  type Session,
  type StoredMessage,
  withNewIds,
} from '@palimpsest/core/domain'
import type { ImportLine } from '@palimpsest/core/ports'
import { nameBlobs } from './blobs.ts'
import { type MemoryTables, makeSearchable } from './tables.ts'

export async function importSession(
  tables: MemoryTables,
  lines: AsyncIterable<ImportLine>,
  copyId?: string,
): Promise<Session> {
  const reader = createExportReader()
  for await (const line of lines) await reader.read(line)
  const read = reader.finish()
  const freeId = copyId !== undefined && !tables.sessions.has(copyId) ? copyId : undefined
  const rows = isTaken(tables, read) ? await withNewIds(read, freeId) : read
  const partsOf = Map.groupBy(rows.parts, (part) => part.message_id)
  const messages = rows.messages.map((row) => readMessage(row, partsOf.get(row.id) ?? []))
  const operations = rows.operations.map(readOperation)
  const session = { ...readSession(rows.session, tables), deletedAt: rows.deletedAt }

  tables.sessions.set(session.id, session)
  for (const message of messages) {
    tables.messages.set(message.id, message)
    nameBlobs(
      tables,
      message.parts.map(({ data }) => data),
    )
    if (message.seq !== null) makeSearchable(tables, message.id)
  }
  tables.operations.push(...operations)
  for (const { digest, body } of rows.systemPrompts) {
    if (!tables.systemPrompts.has(digest)) tables.systemPrompts.set(digest, body)
  }
  return session
}

function isTaken(tables: MemoryTables, rows: ExportRows): boolean {
  const ids = exportedIds(rows)
  const parts = new Set(tables.messages.values().flatMap((message) => message.parts.map(({ id }) => id)))
  const operations = new Set(tables.operations.map(({ id }) => id))
  return (
    ids.sessions.some((id) => tables.sessions.has(id)) ||
    ids.messages.some((id) => tables.messages.has(id)) ||
    ids.parts.some((id) => parts.has(id)) ||
    ids.operations.some((id) => operations.has(id))
  )
}

/** The parent stays when it is here; there are no workers in memory. */
function readSession(row: ExportRow<'session'>, tables: MemoryTables): Session {
  const hasParent = row.parent_id !== null && tables.sessions.has(row.parent_id)
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    workspaceRoot: row.workspace_root,
    workerId: null,
    // The rows of an export were written from the same types.
    model: parseStored(row.model_json, MODEL_KEYS) as Session['model'],
    parentId: hasParent ? row.parent_id : null,
    parentMessageId: hasParent ? row.parent_message_id : null,
    permissions: JSON.parse(row.permissions_json),
    metadata: parseStored(row.metadata_json, SESSION_METADATA_KEYS) as Session['metadata'],
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    reasoningTokens: row.reasoning_tokens,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    totalTokens: row.total_tokens,
    contextTokens: row.context_tokens,
    costUsd: row.cost_usd === 0 ? null : row.cost_usd,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    deletedAt: null,
  }
}

function readMessage(row: ExportRow<'message'>, parts: ExportRow<'part'>[]): StoredMessage {
  return {
    id: row.id,
    sessionId: row.session_id,
    seq: row.seq,
    // As above.
    role: row.role as StoredMessage['role'],
    metadata: parseStored(row.metadata_json, MESSAGE_METADATA_KEYS) as StoredMessage['metadata'],
    parts: parts
      .map(({ id, index, data_json, pruned_at }) => ({
        id,
        index,
        data: JSON.parse(data_json),
        prunedAt: pruned_at,
      }))
      .sort((a, b) => a.index - b.index),
    hiddenAt: row.hidden_at,
    hiddenBy: row.hidden_by,
    queuedAt: row.queued_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function readOperation(row: ExportRow<'history_op'>): HistoryOperation {
  return {
    id: row.id,
    sessionId: row.session_id,
    // As above.
    kind: row.kind as HistoryOperation['kind'],
    detail: parseStored(row.detail_json, HISTORY_DETAIL_KEYS) as HistoryOperation['detail'],
    createdAt: row.created_at,
  }
}

import {
  type ExportRow,
  HISTORY_DETAIL_KEYS,
  isToolPart,
  MESSAGE_METADATA_KEYS,
  MODEL_KEYS,
  SESSION_METADATA_KEYS,
  type Session,
  type StoredMessage,
  type StoredPart,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { ExportLine } from '@palimpsest/core/ports'
import { existingSession, type MemoryTables, messagesOf, placedOf, withTail } from './tables.ts'

/** The rows of a session, as a database would hold them; of one in the bin where `binned` asks for it. */
export function exportSession(tables: MemoryTables, sessionId: string, binned = false): ExportLine[] {
  const session = (binned ? tables.sessions.get(sessionId) : null) ?? existingSession(tables, sessionId)
  const waiting = messagesOf(tables, sessionId)
    .filter(({ seq }) => seq === null)
    .sort((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0))
  const messages = [...placedOf(tables, sessionId), ...waiting].map((message) => withTail(tables, message))
  const digests = new Set(messages.flatMap(({ metadata }) => metadata.systemPromptDigest ?? []))
  const rows: ExportLine[] = [
    ...messages.map((message) => ({ type: 'message' as const, data: messageRow(message) })),
    ...messages.flatMap((message) =>
      message.parts.map((part) => ({ type: 'part' as const, data: partRow(message, part) })),
    ),
    ...tables.operations
      .filter((operation) => operation.sessionId === sessionId)
      .map(({ id, kind, detail, createdAt }) => {
        const detail_json = stringifyStored(detail, HISTORY_DETAIL_KEYS)
        const row = { id, session_id: sessionId, kind, detail_json, created_at: createdAt }
        return { type: 'history_op' as const, data: row satisfies ExportRow<'history_op'> }
      }),
    ...[...digests].sort().flatMap((digest) => {
      const body = tables.systemPrompts.get(digest)
      return body === undefined ? [] : [{ type: 'system_prompt' as const, data: { digest, body } }]
    }),
  ]
  const deleted = session.deletedAt === null ? {} : { deleted_at: session.deletedAt }
  return [{ type: 'session', data: sessionRow(session), rows: rows.length + 1, ...deleted }, ...rows]
}

function sessionRow(session: Session): ExportRow<'session'> {
  return {
    id: session.id,
    title: session.title,
    agent: session.agent,
    workspace_root: session.workspaceRoot,
    worker_id: session.workerId,
    model_json: stringifyStored(session.model, MODEL_KEYS),
    parent_id: session.parentId,
    parent_message_id: session.parentMessageId,
    permissions_json: JSON.stringify(session.permissions),
    metadata_json: stringifyStored(session.metadata, SESSION_METADATA_KEYS),
    prompt_tokens: session.promptTokens,
    completion_tokens: session.completionTokens,
    reasoning_tokens: session.reasoningTokens,
    cache_read: session.cacheRead,
    cache_write: session.cacheWrite,
    total_tokens: session.totalTokens,
    context_tokens: session.contextTokens,
    cost_usd: session.costUsd ?? 0,
    revision: session.revision,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    archived_at: session.archivedAt,
  }
}

function messageRow(message: StoredMessage): ExportRow<'message'> {
  return {
    id: message.id,
    session_id: message.sessionId,
    seq: message.seq,
    role: message.role,
    metadata_json: stringifyStored(message.metadata, MESSAGE_METADATA_KEYS),
    hidden_at: message.hiddenAt,
    hidden_by: message.hiddenBy,
    queued_at: message.queuedAt,
    created_at: message.createdAt,
    updated_at: message.updatedAt,
  }
}

/** The memory store keeps no times of parts, so their message's times are used. */
function partRow(message: StoredMessage, { id, index, data, prunedAt }: StoredPart): ExportRow<'part'> {
  return {
    id,
    message_id: message.id,
    session_id: message.sessionId,
    index,
    type: data.type,
    data_json: JSON.stringify(data),
    tool_call_id: isToolPart(data) ? data.toolCallId : null,
    tool_state: isToolPart(data) ? data.state : null,
    pruned_at: prunedAt,
    created_at: message.createdAt,
    updated_at: message.updatedAt,
  }
}

import type { MessageMetadata, Role, StoredMessage } from '@palimpsest/core/domain'
import type { ChatMessage } from '../generated/client.ts'
import { toStoredPart, unreadablePart } from './part-row.ts'
import { toTime } from './session-row.ts'
import { MESSAGE_METADATA_KEYS, parseStored, stringifyStored } from './stored-keys.ts'

const ROLES: readonly string[] = ['user', 'assistant', 'system'] satisfies Role[]

/**
 * A row of `chat_messages` with its parts. One whose role or metadata cannot be read shows what is left of it,
 * and says so in a last `data-unreadable` part.
 */
export function toStoredMessage(
  row: ChatMessage & { parts: Parameters<typeof toStoredPart>[0][] },
): StoredMessage {
  const createdAt = Number(row.createdAt)
  const metadata = parseStored(row.metadataJson, MESSAGE_METADATA_KEYS)
  const parts = row.parts.map(toStoredPart)
  if (metadata === null || !isRole(row.role)) {
    const data = unreadablePart(row.id, 'The role or the metadata of this message cannot be read.')
    parts.push({ id: row.id, index: parts.length, data, prunedAt: null })
  }
  return {
    id: row.id,
    sessionId: row.sessionId,
    seq: row.seq,
    role: isRole(row.role) ? row.role : 'assistant',
    // Only `writeMetadata` writes the column.
    metadata: { schemaVersion: 1, createdAt, ...metadata } as MessageMetadata,
    parts,
    hiddenAt: toTime(row.hiddenAt),
    hiddenBy: row.hiddenBy,
    queuedAt: toTime(row.queuedAt),
    createdAt,
    updatedAt: Number(row.updatedAt),
  }
}

export function writeMetadata(metadata: MessageMetadata): string {
  return stringifyStored(metadata, MESSAGE_METADATA_KEYS)
}

function isRole(role: string): role is Role {
  return ROLES.includes(role)
}

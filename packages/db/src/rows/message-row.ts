import {
  isObject,
  MESSAGE_METADATA,
  MESSAGE_METADATA_KEYS,
  type MessageMetadata,
  parseStored,
  type Role,
  readable,
  type StoredMessage,
  type StoredPart,
  soundWindow,
  stringifyStored,
} from '@palimpsest/core/domain'
import type { ChatMessage } from '../generated/client.ts'
import { type MessageCopies, messageCopies } from './copied-columns.ts'
import { toNumber, toTime } from './numbers.ts'
import { isUnreadable, unreadablePart } from './part-row.ts'
import { toOptionalText } from './stored-text.ts'
import type { NoteUnreadable } from './unreadable-rows.ts'

const ROLES: readonly string[] = ['user', 'assistant', 'system'] satisfies Role[]

/** The columns of `chat_messages` that a message is read from. */
export type MessageRow = Pick<
  ChatMessage,
  | 'id'
  | 'sessionId'
  | 'seq'
  | 'role'
  | 'metadataJson'
  | 'hiddenAt'
  | 'hiddenBy'
  | 'queuedAt'
  | 'createdAt'
  | 'updatedAt'
>

/**
 * A row of `chat_messages` with its parts. One whose role or metadata cannot be read shows what is left of it,
 * and says so in a last `data-unreadable` part; a key of the metadata that holds what it should not is left out.
 */
export function toStoredMessage(
  row: MessageRow,
  readableParts: readonly StoredPart[],
  note: NoteUnreadable,
): StoredMessage {
  const createdAt = toNumber(row.createdAt)
  const stored = withSoundWindow(parseStored(row.metadataJson, MESSAGE_METADATA_KEYS))
  const parts = [...readableParts]
  const { id, sessionId } = row
  for (const part of parts) if (isUnreadable(part.data)) note({ table: 'chat_parts', id: part.id, sessionId })
  if (stored === null || !isRole(row.role)) {
    const data = unreadablePart(id, 'The role or the metadata of this message cannot be read.')
    parts.push({ id, index: parts.length, data, prunedAt: null })
    note({ table: 'chat_messages', id, sessionId })
  }
  return {
    id,
    sessionId,
    seq: row.seq === null ? null : toNumber(row.seq),
    role: isRole(row.role) ? row.role : 'assistant',
    // Every key that is left holds what `MessageMetadata` says.
    metadata: {
      schemaVersion: 1,
      createdAt,
      ...(stored && readable(stored, MESSAGE_METADATA)),
    } as MessageMetadata,
    parts,
    hiddenAt: toTime(row.hiddenAt),
    hiddenBy: toOptionalText(row.hiddenBy),
    queuedAt: toTime(row.queuedAt),
    createdAt,
    updatedAt: toNumber(row.updatedAt),
  }
}

/** Earlier imports took any scale of a window. */
function withSoundWindow(stored: Record<string, unknown> | null): Record<string, unknown> | null {
  return isObject(stored?.['window']) ? { ...stored, window: soundWindow(stored['window']) } : stored
}

/** The columns that a message's metadata fills. */
export function metadataColumns(metadata: MessageMetadata): MessageCopies & { metadata_json: string } {
  return { metadata_json: stringifyStored(metadata, MESSAGE_METADATA_KEYS), ...messageCopies(metadata) }
}

function isRole(role: string): role is Role {
  return ROLES.includes(role)
}

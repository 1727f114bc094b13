import {
  type ChatPart,
  isObject,
  isToolPart,
  parseBounded,
  partCheck,
  type StoredPart,
} from '@palimpsest/core/domain'
import type { ChatPart as PartRow } from '../generated/client.ts'
import { toTime } from './numbers.ts'

/** The type of the part that replaces an unreadable one. */
const UNREADABLE = 'data-unreadable'

/** The columns that a part fills. */
export function partColumns(part: ChatPart): {
  type: string
  dataJson: string
  toolCallId: string | null
  toolState: string | null
} {
  const tool = isToolPart(part) ? { toolCallId: part.toolCallId, toolState: part.state } : null
  return {
    type: part.type,
    dataJson: JSON.stringify(part),
    toolCallId: tool?.toolCallId ?? null,
    toolState: tool?.toolState ?? null,
  }
}

/** A row of `chat_parts`. An unreadable one becomes a `data-unreadable` part; the row is not changed. */
export function toStoredPart(row: PartRow): StoredPart {
  return { id: row.id, index: Number(row.index), data: readPart(row), prunedAt: toTime(row.prunedAt) }
}

/** What shows in place of something stored that cannot be read. */
export function unreadablePart(partId: string, reason: string): ChatPart {
  return { type: UNREADABLE, data: { partId, reason } }
}

/** True for a part that replaces an unreadable one; writing it back would overwrite the stored part. */
export function isUnreadable(part: ChatPart): boolean {
  return part.type === UNREADABLE
}

function readPart({ id, type, dataJson }: Pick<PartRow, 'id' | 'type' | 'dataJson'>): ChatPart {
  const data = parseBounded(dataJson)
  if (data === undefined) return unreadablePart(id, 'Its data is no JSON, or nested too deep.')
  if (!isObject(data) || data['type'] !== type) return unreadablePart(id, 'Its data is no part of its type.')
  const check = partCheck(type)
  if (check === undefined) return unreadablePart(id, `Its type "${type.slice(0, 100)}" is unknown.`)
  if (check(data) !== null) return unreadablePart(id, 'Its data lacks what a part of its type has.')
  // A part is what the AI SDK's reducer made of a stream, written by `partColumns`.
  return data as ChatPart
}

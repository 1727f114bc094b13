import { type ChatPart, isObject, isToolPart, type StoredPart } from '@palimpsest/core/domain'
import type { ChatPart as PartRow } from '../generated/client.ts'

const KNOWN_TYPE =
  /^(text|reasoning|reasoning-file|file|source-url|source-document|step-start|custom|steering-message|dynamic-tool|tool-.+|data-.+)$/s

/** Texts that a part of a type cannot be without: whoever shows, counts or sends it relies on them. */
const TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text']],
  ['reasoning', ['text']],
  ['file', ['mediaType', 'url']],
  ['reasoning-file', ['mediaType', 'url']],
  ['source-url', ['sourceId', 'url']],
  ['source-document', ['sourceId', 'mediaType']],
  ['steering-message', ['id']],
  ['dynamic-tool', ['toolName', 'toolCallId', 'state']],
])
const TOOL_TEXTS = ['toolCallId', 'state']

/** The type of the part that stands in for one that cannot be read. */
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

/** A row of `chat_parts`. One that cannot be read stands as a `data-unreadable` part; the row stays as it is. */
export function toStoredPart(row: PartRow): StoredPart {
  const prunedAt = row.prunedAt === null ? null : Number(row.prunedAt)
  return { id: row.id, index: row.index, data: readPart(row), prunedAt }
}

/** What shows in place of something stored that cannot be read. */
export function unreadablePart(partId: string, reason: string): ChatPart {
  return { type: UNREADABLE, data: { partId, reason } }
}

/** True for a part that only stands in for a stored one; writing it back would lose what is there. */
export function isUnreadable(part: ChatPart): boolean {
  return part.type === UNREADABLE
}

function readPart({ id, type, dataJson }: Pick<PartRow, 'id' | 'type' | 'dataJson'>): ChatPart {
  const data = parse(dataJson)
  if (data === undefined) return unreadablePart(id, 'Its data is no JSON.')
  if (!isObject(data) || data['type'] !== type) return unreadablePart(id, 'Its data is no part of its type.')
  if (!isWhole(data, type)) return unreadablePart(id, 'Its data lacks what a part of its type has.')
  if (!KNOWN_TYPE.test(type)) return unreadablePart(id, `Its type "${type}" is unknown.`)
  // A part is what the AI SDK's reducer made of a stream, written by `partColumns`.
  return data as ChatPart
}

function isWhole(data: Record<string, unknown>, type: string): boolean {
  const texts = TEXTS.get(type) ?? (type.startsWith('tool-') ? TOOL_TEXTS : [])
  if (type === 'steering-message' && !Array.isArray(data['parts'])) return false
  return texts.every((name) => typeof data[name] === 'string')
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

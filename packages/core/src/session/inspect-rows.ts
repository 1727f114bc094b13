import { MESSAGE_METADATA_KEYS, stringifyStored } from '../domain/json/stored-keys.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import { INSPECT_LIMITS, type InspectedJson, type InspectedRow } from '../domain/session/inspection.ts'

/** The rows of a page. All JSON on it together is bounded: the later rows of a page of long ones have less of it. */
export function inspectRows(messages: readonly StoredMessage[]): InspectedRow[] {
  let left: number = INSPECT_LIMITS.pageCharacters
  const cut = (json: string): InspectedJson => {
    const shown = json.slice(0, Math.min(INSPECT_LIMITS.partCharacters, left)).toWellFormed()
    left -= shown.length
    return { json: shown, characters: json.length }
  }
  return messages.map(({ metadata, parts, sessionId: _, ...row }) => ({
    ...row,
    metadata: cut(stringifyStored(metadata, MESSAGE_METADATA_KEYS)),
    parts: parts.slice(0, INSPECT_LIMITS.parts).map(({ id, index, data, prunedAt }) => ({
      id,
      index,
      type: data.type,
      prunedAt,
      ...cut(JSON.stringify(data)),
    })),
    partsLeftOut: Math.max(0, parts.length - INSPECT_LIMITS.parts),
  }))
}

import type { ChatMessage } from '@palimpsest/core/domain'
import { isSummary } from '../session/summary.ts'

/** What is looked at once these operations are asked for: all that they hid, or none of it where all of it was shown. */
export function toggled(
  revealed: readonly string[],
  operationIds: readonly string[],
): { revealed: readonly string[]; shown: boolean } {
  const others = revealed.filter((id) => !operationIds.includes(id))
  const shown = !operationIds.every((id) => revealed.includes(id))
  return { revealed: shown ? [...others, ...operationIds] : others, shown }
}

/** Where that which operations hid begins, as far as it is loaded. */
export function firstHidden(
  loaded: readonly ChatMessage[],
  operationIds: readonly string[],
): ChatMessage | null {
  const hidden = (message: ChatMessage) =>
    !isSummary(message) && operationIds.includes(message.metadata?.hiddenBy ?? '')
  return loaded.find(hidden) ?? null
}

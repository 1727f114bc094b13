import type { ChatMessage } from '@palimpsest/core/domain'

/** How many messages of later turns another reply in the place of this one hides. */
export function laterThanReply(shown: readonly ChatMessage[], messageId: string): number {
  const at = shown.findIndex(({ id }) => id === messageId)
  const next = shown.findIndex(({ role }, index) => index > at && role === 'user')
  return at === -1 || next === -1 ? 0 : shown.length - next
}

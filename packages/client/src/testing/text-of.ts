import type { ChatMessage } from '@palimpsest/core/domain'

/** All text of a message; none for a message that is not there yet. */
export function textOf(message: ChatMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

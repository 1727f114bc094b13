import type { ChatMessage } from '@palimpsest/core/domain'

/** All text of a message; empty for a missing message. */
export function textOf(message: ChatMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

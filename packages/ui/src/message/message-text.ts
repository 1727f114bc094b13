import type { ChatMessage } from '@palimpsest/core/domain'

/** The written text of a message, as it is copied: without reasoning and tool calls. */
export function messageText(message: ChatMessage): string {
  return partsText(message.parts)
}

/** The written text of some parts. */
export function partsText(parts: ChatMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n')
}

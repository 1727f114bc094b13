import type { ChatMessage } from '@palimpsest/core/domain'

/** The written text of a message, as it is copied: without reasoning and tool calls. */
export function messageText(message: ChatMessage): string {
  return message.parts
    .flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []))
    .join('\n\n')
}

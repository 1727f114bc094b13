import type { ChatMessage } from '@palimpsest/core/domain'
import { messageText } from '@palimpsest/ui'
import type { Draft } from '../stores/drafts.ts'

/** A message as a draft, to be edited and sent again. */
export function draftOf(message: ChatMessage): Draft {
  const files = message.parts.flatMap((part, index) => {
    if (part.type !== 'file') return []
    const { filename, mediaType, url } = part
    return [{ id: `${message.id}-${index}`, name: filename ?? mediaType, mediaType, url, size: bytesOf(url) }]
  })
  return { text: messageText(message), files }
}

/** Bytes of a data URL in base64. */
function bytesOf(url: string): number {
  return Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4)
}

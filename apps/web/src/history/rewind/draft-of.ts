import { type ChatMessage, fileBytes } from '@palimpsest/core/domain'
import { messageText } from '@palimpsest/ui'
import type { Draft } from '../../stores/drafts.ts'

/** A message as a draft, to be edited and sent again. */
export function draftOf(message: ChatMessage): Draft {
  const files = message.parts.flatMap((part, index) => {
    if (part.type !== 'file') return []
    const { filename, mediaType, url } = part
    const size = fileBytes(part) ?? 0
    return [{ id: `${message.id}-${index}`, name: filename ?? mediaType, mediaType, url, size }]
  })
  return { text: messageText(message), files }
}

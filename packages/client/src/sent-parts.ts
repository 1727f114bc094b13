import type { ChatMessage } from '@palimpsest/core/domain'

type SentPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mediaType: string; filename?: string; url: string }

/** The parts that the server accepts from a user: text and files. All other parts of the message stay in the chat. */
export function toSentParts(message: ChatMessage): SentPart[] {
  return message.parts.flatMap((part): SentPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'file') return []
    const { mediaType, filename, url } = part
    return [{ type: 'file', mediaType, url, ...(filename !== undefined && { filename }) }]
  })
}

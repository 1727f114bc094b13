import type { ChatPart } from '@palimpsest/core/domain'

/** A part of a message as a person writes it: text, or a file that carries its bytes as a data URL. */
export type InputPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mediaType: string; filename?: string; url: string }

/** What of a message's parts a person wrote. */
export function inputParts(parts: readonly ChatPart[]): InputPart[] {
  return parts.flatMap((part): InputPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'file') return []
    const { type, mediaType, filename, url } = part
    return [{ type, mediaType, url, ...(filename !== undefined && { filename }) }]
  })
}

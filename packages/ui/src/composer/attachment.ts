import { LIMITS } from '@palimpsest/core/domain'

/** A file on its way into a message. */
export type ComposerAttachment = {
  id: string
  name: string
  mediaType: string
  /** Bytes. */
  size: number
  state: { type: 'reading' } | { type: 'ready'; url: string } | { type: 'failed'; reason: string }
}

/** Bytes that one attachment may have: what fits its data URL in base64. */
export const MAX_ATTACHMENT_BYTES = Math.floor(((LIMITS.fileCharacters - 200) * 3) / 4)

/** A file as a data URL. Rejects when the file can't be read. */
export function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}

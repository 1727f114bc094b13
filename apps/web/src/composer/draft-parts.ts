import type { InputPart } from '../session/input-part.ts'
import type { Draft } from '../stores/drafts.ts'

/** The message that a draft makes: files first, as providers like them, then the text. Empty when there is nothing. */
export function draftParts({ text, files }: Draft): InputPart[] {
  const attached = files.map(
    ({ mediaType, name, url }): InputPart => ({ type: 'file', mediaType, filename: name, url }),
  )
  return text.trim() === '' ? attached : [...attached, { type: 'text', text: text.trim() }]
}

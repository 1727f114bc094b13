import type { ChatPart } from '../message/message.ts'
import { DEFAULT_TITLE, type Session } from './session.ts'

type Name = Pick<Session, 'title' | 'metadata'>

const TITLE_CHARACTERS = 80

/**
 * The title that a session takes from the message that starts a run, with its metadata; null when it has a name, or the
 * message has no words. A branch that still has its parent's title takes it from its first own message.
 */
export function nameByMessage(
  { title, metadata, parentId }: Name & Pick<Session, 'parentId'>,
  parts: readonly ChatPart[],
): Name | null {
  const unnamed = title === DEFAULT_TITLE && metadata.titledBy === undefined
  const inherited = metadata.titledBy === 'parent' && parentId !== null
  if (!unnamed && !inherited) return null
  const words = firstWords(parts)
  return words === '' ? null : { title: words, metadata: { ...metadata, titledBy: 'first-words' } }
}

/** Whether a generated title may replace the session's. */
export function takesGeneratedTitle({ title, metadata }: Name): boolean {
  return metadata.titledBy === 'first-words' || (title === DEFAULT_TITLE && metadata.titledBy === undefined)
}

/** The first words of a message, or the name or type of its first file. At most 80 characters; empty when it has neither. */
export function firstWords(parts: readonly ChatPart[]): string {
  const text = shortenTitle(parts.map((part) => (part.type === 'text' ? part.text : '')).join(' '))
  if (text !== '') return text
  const file = parts.find((part) => part.type === 'file')
  return shortenTitle(file?.filename || file?.mediaType || '')
}

/** One line of at most 80 characters, cut between words where there are any. */
export function shortenTitle(text: string): string {
  const line = text
    .slice(0, TITLE_CHARACTERS * 10)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= TITLE_CHARACTERS) return line
  const cut = line.slice(0, TITLE_CHARACTERS - 1)
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_CHARACTERS / 2))
  return `${words.replace(/[\uD800-\uDBFF]$/, '')}…`
}

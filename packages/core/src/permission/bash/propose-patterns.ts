import type { PlainCommand, PlainWord } from './plain-line.ts'
import { wideOf } from './wide-rules.ts'

/**
 * The patterns that a lasting permission for a line could have: the exact command, and, for a program with a list of safe
 * arguments, the same with other ones of these. None for a line of several commands, and none where `*` in an
 * argument would be taken for a wildcard.
 */
export function proposePatterns(line: readonly PlainCommand[]): string[] {
  const [command, ...more] = line
  if (command === undefined || more.length > 0 || command.words.some(({ glob }) => glob !== null)) return []
  const narrow = textOf(command)
  if (narrow.includes('*')) return []
  const wide = wideOf(command)
  return wide === null || wide === narrow ? [narrow] : [narrow, wide]
}

/** One spelling of a command: its words with a blank between, quoted where bash needs it. */
export function textOf({ words, inputs }: PlainCommand): string {
  const all = [...words.map(spelled), ...inputs.map((word) => `< ${spelled(word)}`)]
  return all.join(' ')
}

function spelled({ text, glob, exits }: PlainWord): string {
  if (exits === true) return `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"`
  return glob === null ? quoted(text) : text
}

/** The same for a name and its arguments. */
export function textOfWords(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(text: string): string {
  return /^[\w./,:=@%+^~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

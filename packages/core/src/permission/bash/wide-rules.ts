import { type PlainCommand, readPlainLine } from './plain-line.ts'
import { areSafe, pathsAmong, safeArgumentsOf } from './safe-arguments.ts'

/** What a wide pattern ends with. */
const REST = ' *'

/**
 * How many characters of a command, in the spelling of `textOf`, a pattern names that allows it; null where it allows another
 * command. `*` alone is every command. Else a `*` counts only as the last word, and stands for arguments that are on the list of safe
 * ones of that program and verb.
 */
export function namedInCommand(pattern: string, text: string): number | null {
  if (pattern === '*') return 0
  if (!pattern.includes('*')) return pattern === text ? text.length : null
  if (!pattern.endsWith(REST)) return null
  const named = wordsOf(pattern.slice(0, -REST.length))
  const words = wordsOf(text)
  if (named === null || words === null || !named.every((word, at) => words[at] === word)) return null
  // The command alone is named more exactly by a rule without `*`.
  if (words.length === named.length) return text.length - 1
  return isWidened(named, words) ? pattern.length - 1 : null
}

/** The pattern of the same program and verb with other safe arguments; null where there is none. */
export function wideOf({ words, inputs }: PlainCommand): string | null {
  const texts = literal(words)
  const found = texts === null || inputs.length > 0 ? null : safeArgumentsOf(texts)
  if (texts === null || found === null || !areSafe(texts.slice(found.named.length), found.safe)) return null
  return `${found.named.join(' ')}${REST}`
}

/**
 * The files and folders that a command takes which a wide rule may allow: those that its arguments name, and '' where it takes all that
 * is in the folder in which it runs.
 */
export function takenByWide(command: string): string[] {
  const words = wordsOf(command)
  const found = words === null ? null : safeArgumentsOf(words)
  if (words === null || found === null) return []
  const args = words.slice(found.named.length)
  const isWhole = found.named[0] === 'git' && args.some((arg) => WHOLE.test(arg))
  return [...(isWhole ? [''] : []), ...pathsAmong(args, found.safe)]
}

/** Options with which git adds or commits what is anywhere in the folder. */
const WHOLE = /^(?:-[Aau]|-am|--all|--update)$/

/** Whether all arguments are safe, those of the rule too: an option at its end would take what follows as its value. */
function isWidened(named: readonly string[], words: readonly string[]): boolean {
  const found = safeArgumentsOf(words)
  if (found === null || found.named.length > named.length) return false
  return areSafe(words.slice(found.named.length), found.safe)
}

/** The words of a line that is one plain command of literal words; null for any other. */
function wordsOf(line: string): readonly string[] | null {
  const [command, ...more] = readPlainLine(line) ?? []
  if (command === undefined || more.length > 0 || command.inputs.length > 0) return null
  return literal(command.words)
}

function literal(words: PlainCommand['words']): readonly string[] | null {
  return words.every(({ glob, exits }) => glob === null && exits !== true)
    ? words.map(({ text }) => text)
    : null
}

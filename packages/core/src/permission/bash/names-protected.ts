import { mayMatchProtected, protectedPart } from '../../domain/workspace/protected-names.ts'
import { readPlainLine } from './plain-line.ts'
import { wideOf } from './wide-rules.ts'

/**
 * The word by which one plain command that may write names what other programs act on by themselves; null without one. Git
 * with arguments on the list of safe ones writes none of it.
 */
export function namesProtected(command: string): string | null {
  const [first] = readPlainLine(command) ?? []
  const [name, ...words] = first?.words ?? []
  if (first === undefined || (name?.text === 'git' && wideOf(first) !== null)) return null
  return words.map(({ text, glob }) => protectedIn(text, glob !== null)).find((part) => part !== null) ?? null
}

function protectedIn(word: string, isGlob: boolean): string | null {
  // The value of an option is behind `=`, or right behind its letter.
  const pieces = word.split(/[/=:,]/).flatMap((piece) => [piece, piece.replace(/^-+\w/, '')])
  const named = pieces.find((piece) => protectedPart(piece) !== null)
  if (named !== undefined) return named
  return isGlob ? (pieces.find((piece) => /[*?[]/.test(piece) && mayMatchProtected(piece)) ?? null) : null
}

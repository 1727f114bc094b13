import { LIMITS } from '@palimpsest/core/domain'
import { words } from '../words/en.ts'

type FileFacts = { name: string; size: number }

/** Splits the chosen files into those that fit the limits of a message and one complaint for each that does not. */
export function admitFiles<T extends FileFacts>(
  chosen: readonly T[],
  present: number,
  maxBytes: number,
): { admitted: T[]; complaints: string[] } {
  const small = chosen.filter(({ size }) => size <= maxBytes)
  const large = chosen.filter(({ size }) => size > maxBytes)
  const free = Math.max(0, LIMITS.filesPerMessage - present)
  return {
    admitted: small.slice(0, free),
    complaints: [
      ...large.map(({ name }) => words.tooLarge(name, maxBytes)),
      ...(small.length > free ? [words.tooMany(LIMITS.filesPerMessage)] : []),
    ],
  }
}

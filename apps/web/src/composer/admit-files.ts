import { LIMITS } from '@palimpsest/core/domain'
import { words } from '../words/en.ts'

type FileFacts = { name: string; size: number; type: string }

/** Splits the chosen files into those that fit the limits of a message and one complaint for each that does not. */
export function admitFiles<T extends FileFacts>(
  chosen: readonly T[],
  present: number,
  maxBytes: number,
): { admitted: T[]; complaints: string[] } {
  // A picture is scaled down.
  const isTaken = ({ size, type }: T) => size <= maxBytes || type.startsWith('image/')
  const small = chosen.filter(isTaken)
  const large = chosen.filter((file) => !isTaken(file))
  const free = Math.max(0, LIMITS.filesPerMessage - present)
  return {
    admitted: small.slice(0, free),
    complaints: [
      ...large.map(({ name }) => words.tooLarge(name, maxBytes)),
      ...(small.length > free ? [words.tooMany(LIMITS.filesPerMessage)] : []),
    ],
  }
}

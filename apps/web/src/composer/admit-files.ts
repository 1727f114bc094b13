import { LIMITS } from '@palimpsest/core/domain'
import { words } from '../words/en.ts'

type FileFacts = { name: string; size: number }

/** Which of the chosen files a message takes, beside those it has, and why not the others. */
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
      ...large.map(({ name }) => words.tooLarge(name)),
      ...(small.length > free ? [words.tooMany(LIMITS.filesPerMessage)] : []),
    ],
  }
}

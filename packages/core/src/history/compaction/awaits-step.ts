import type { Outline } from '../../domain/outline.ts'

/**
 * True when the last compaction that a session made by itself still stands, and no model call has been completed under
 * its summary: another one would go on for ever. One that a person made, or took back, does not count.
 */
export function awaitsStep({ entries, operations }: Outline): boolean {
  const last = operations.findLast(({ kind, detail }) => kind === 'compaction' && detail.auto === true)
  if (last === undefined) return false
  const stands = entries.some(({ compactionId, hiddenBy }) => compactionId === last.id && hiddenBy === null)
  return (
    stands && !entries.some((entry) => entry.compactionId === null && entry.window?.compactionId === last.id)
  )
}

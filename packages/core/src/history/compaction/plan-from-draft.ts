import { type CompactionPlan, type Measured, sizeOf } from './plan-compaction.ts'

/**
 * The plan by which a summary that was written beforehand of the messages `ids` can be used: they still stand at the
 * beginning of what is visible, and what has come after them takes at most `budget` tokens. Null when it cannot.
 */
export function planFromDraft(
  visible: readonly Measured[],
  ids: readonly string[],
  budget: number,
): Extract<CompactionPlan, { type: 'compact' }> | null {
  const ordered = [
    ...visible.filter(({ compactionId }) => compactionId !== null),
    ...visible.filter(({ compactionId }) => compactionId === null),
  ]
  const tail = ordered.slice(ids.length)
  if (ids.some((id, index) => ordered[index]?.id !== id)) return null
  if (tail.length === 0 || sizeOf(tail) > budget) return null
  return { type: 'compact', summarised: ordered.slice(0, ids.length), tail, shortened: false, split: false }
}

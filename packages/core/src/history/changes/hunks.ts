import { applyPatch, reversePatch, structuredPatch } from 'diff'
import { CONTEXT_LINES, DIFF_BOUNDS } from '../../domain/workspace/diff-files.ts'

/** The hunks of a unified diff. */
export function countHunks(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('@@ -')).length
}

/** The text after a change, without some hunks of it, numbered from 0 as in the diff of both; null when there is no such hunk. */
export function revertHunks(before: string, after: string, hunks: readonly number[]): string | null {
  const options = { context: CONTEXT_LINES, ...DIFF_BOUNDS }
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, options)
  // The diff of texts that are too different has one part.
  if (patch === undefined) return hunks.length === 0 ? after : hunks.every((at) => at === 0) ? before : null
  const chosen = patch.hunks.filter((_, at) => hunks.includes(at))
  if (chosen.length !== new Set(hunks).size) return null
  const reverted = applyPatch(after, reversePatch({ ...patch, hunks: chosen }), {
    autoConvertLineEndings: false,
  })
  return reverted === false ? null : reverted
}

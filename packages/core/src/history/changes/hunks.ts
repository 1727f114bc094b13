import { applyPatch, reversePatch, structuredPatch } from 'diff'
import { CONTEXT_LINES } from '../../domain/workspace/diff-files.ts'

/** The hunks of a unified diff. */
export function countHunks(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('@@ -')).length
}

/** The text after a change, without some hunks of it, numbered from 0 as in the diff of both; null when there is no such hunk. */
export function revertHunks(before: string, after: string, hunks: readonly number[]): string | null {
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, { context: CONTEXT_LINES })
  const chosen = patch.hunks.filter((_, at) => hunks.includes(at))
  if (chosen.length !== new Set(hunks).size) return null
  const reverted = applyPatch(after, reversePatch({ ...patch, hunks: chosen }), {
    autoConvertLineEndings: false,
  })
  return reverted === false ? null : reverted
}

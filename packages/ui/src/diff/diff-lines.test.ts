import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

test('UI-9 a diff has its added, removed and equal lines, with a gap between hunks', () => {
  const diff =
    '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n--- two\n+++ 2\n@@ -9 +9 @@\n-x\n\\ No newline at end of file\n'
  expect(diffLines(diff).map(({ kind, text }) => `${kind}:${text}`)).toEqual([
    'same:one',
    'removed:-- two',
    'added:++ 2',
    'gap:',
    'removed:x',
    'note: No newline at end of file',
  ])
  expect(diffLines('no diff')).toEqual([])
})

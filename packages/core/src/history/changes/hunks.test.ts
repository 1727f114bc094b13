import { createTwoFilesPatch } from 'diff'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONTEXT_LINES } from '../../domain/workspace/diff-files.ts'
import { countHunks, revertHunks } from './hunks.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`).join('\n')

/** Thirty lines, of which two that are far from each other are changed. */
const BEFORE = `${lines(1, 30)}\n`
const AFTER = BEFORE.replace('line 2\n', 'second\n').replace('line 28\n', 'almost last\n')

const diffOf = (before: string, after: string) =>
  createTwoFilesPatch('a', 'b', before, after, undefined, undefined, { context: CONTEXT_LINES })

test('RW-11 the parts of a diff are counted by their heads', () => {
  expect(countHunks(diffOf(BEFORE, AFTER))).toBe(2)
  expect(countHunks(diffOf(BEFORE, BEFORE))).toBe(0)
  expect(countHunks('')).toBe(0)
})

test('RW-11 a line of a file that begins like a head is none', () => {
  expect(countHunks('@@ -1,1 +1,1 @@\n-@@ -1 +1 @@\n+@@ -2 +2 @@\n')).toBe(1)
})

test.for([
  [[0], AFTER.replace('second\n', 'line 2\n')],
  [[1], AFTER.replace('almost last\n', 'line 28\n')],
  [[0, 1], BEFORE],
  [[1, 0], BEFORE],
  [[0, 0], AFTER.replace('second\n', 'line 2\n')],
  [[], AFTER],
] as const)('RW-11 without the parts %j the rest stays', ([hunks, expected]) => {
  expect(revertHunks(BEFORE, AFTER, hunks)).toBe(expected)
})

test.for([[[2]], [[-1]], [[0, 2]], [[0.5]], [[Number.NaN]]] as const)(
  'RW-11 there are no parts %j',
  ([hunks]) => {
    expect(revertHunks(BEFORE, AFTER, hunks)).toBeNull()
  },
)

test('RW-11 two changes that are nearer than their context are one part', () => {
  const near = BEFORE.replace('line 2\n', 'second\n').replace('line 4\n', 'fourth\n')
  expect(countHunks(diffOf(BEFORE, near))).toBe(1)
  expect(revertHunks(BEFORE, near, [0])).toBe(BEFORE)
  expect(revertHunks(BEFORE, near, [1])).toBeNull()
})

test('RW-11 lines that were added are taken out, and lines that were removed come back', () => {
  const added = BEFORE.replace('line 5\n', 'line 5\none more\nand another\n')
  expect(revertHunks(BEFORE, added, [0])).toBe(BEFORE)
  const removed = BEFORE.replace('line 5\nline 6\n', '')
  expect(revertHunks(BEFORE, removed, [0])).toBe(BEFORE)
})

test.for([
  ['no line end at its end', 'a\nb', 'a\nc'],
  ['a line end that was added', 'a\nb', 'a\nb\n'],
  ['a line end that was taken away', 'a\nb\n', 'a\nb'],
  ['line ends of Windows', 'a\r\nb\r\n', 'a\r\nc\r\n'],
  ['mixed line ends', 'a\r\nb\nc\n', 'a\r\nx\nc\n'],
  ['nothing before', '', 'a\n'],
  ['nothing after', 'a\n', ''],
  ['words of other scripts', 'é\nß\n', 'é\n漢\n'],
] as const)('RW-11 a text with %s comes back as it was', ([, before, after]) => {
  expect(revertHunks(before, after, [0])).toBe(before)
})

test('RW-11 whatever was changed: without all parts it is the text before, without none the text after', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '@@ -1 +1 @@', '-x', '+y'), { maxLength: 40 })
    .map((list) => list.map((line) => `${line}\n`).join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const count = countHunks(diffOf(before, after))
      const all = Array.from({ length: count }, (_, at) => at)
      expect(revertHunks(before, after, all)).toBe(before)
      expect(revertHunks(before, after, [])).toBe(after)
      expect(revertHunks(before, after, [count])).toBeNull()
    }),
  )
})

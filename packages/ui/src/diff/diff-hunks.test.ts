import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffHunks } from './diff-hunks.ts'

test('UI-45 a difference is divided at the headers of its hunks', () => {
  const [first, second] = [
    '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    '@@ -9 +9,2 @@ function x()\n nine\n+ten\n\\ No newline',
  ]
  expect(diffHunks(`--- a\n+++ b\n${first}\n${second}\n`)).toEqual([first, second])
})

test('UI-45 a difference without a hunk has no parts', () => {
  for (const diff of ['', 'Binary files differ', '--- a\n+++ b\n']) expect(diffHunks(diff)).toEqual([])
})

const signs = { added: '+', removed: '-', same: ' ' } as const
const text = fc
  .oneof(fc.string({ maxLength: 9 }), fc.constant('@@ -1 +1 @@'))
  .filter((line) => !/\n/.test(line))
const line = fc.record({ kind: fc.constantFrom('added', 'removed', 'same'), text })
const hunks = fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })

test('UI-45 whatever the lines are, a difference has as many parts as hunks, each with its own lines', () => {
  fc.assert(
    fc.property(hunks, (all) => {
      const written = all.map((lines) => {
        const count = (other: string) => lines.filter(({ kind }) => kind !== other).length
        const header = `@@ -1,${count('added')} +1,${count('removed')} @@`
        return [header, ...lines.map((one) => `${signs[one.kind]}${one.text}`)].join('\n')
      })
      expect(diffHunks(`--- a\n+++ b\n${written.join('\n')}\n`)).toEqual(written)
    }),
  )
})

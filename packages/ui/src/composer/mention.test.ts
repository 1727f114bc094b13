import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertMention, mentionAt } from './mention.ts'

test.for([
  ['@', { start: 0, query: '' }],
  ['@src/a', { start: 0, query: 'src/a' }],
  ['see @re', { start: 4, query: 're' }],
  ['see\n@re', { start: 4, query: 're' }],
  ['ana@example', null],
  ['@re ', null],
  ['@a@b', null],
  ['', null],
  [`@${'a'.repeat(200)}`, { start: 0, query: 'a'.repeat(200) }],
  [`@${'a'.repeat(201)}`, null],
] as const)('UI-12 behind "%s" is mentioned %o', ([text, mention]) => {
  expect(mentionAt(text, text.length)).toEqual(mention)
})

test('UI-12 what is mentioned ends at the caret', () => {
  expect(mentionAt('@read me', 3)).toEqual({ start: 0, query: 're' })
})

test.for([
  ['see @re', 'README.md', 'see @README.md ', 15],
  ['@re and more', 'README.md', '@README.md and more', 11],
  ['@my', 'my notes.md', '@"my notes.md" ', 15],
] as const)('UI-12 "%s" becomes "@%s" with a blank', ([text, path, value, caret]) => {
  const start = text.indexOf('@')
  const query = text.slice(start + 1).split(' ')[0] ?? ''
  expect(insertMention(text, { start, query }, path)).toEqual({ value, caret })
})

test('UI-12 the text around a mention stays, and nothing is mentioned behind it', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'ß', '.', '/') })
  fc.assert(
    fc.property(
      fc.string({ maxLength: 12 }),
      word,
      fc.string({ maxLength: 12 }),
      word,
      (before, query, after, path) => {
        const text = `${before} @${query}`
        const mention = mentionAt(text, text.length)
        expect(mention).toEqual({ start: before.length + 1, query })
        if (mention === null) return
        const next = insertMention(`${text} ${after}`, mention, path)
        expect(next.value).toBe(`${before} @${path} ${after}`)
        expect(mentionAt(next.value, next.caret)).toBeNull()
      },
    ),
  )
})

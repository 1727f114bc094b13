import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches } from './matches.ts'

test('UI-3 words are found in any order and any case, each of them', () => {
  expect(matches('Open the Timeline of this chat', 'chat TIME')).toBe(true)
  expect(matches('Open the Timeline of this chat', 'chat clock')).toBe(false)
})

test('UI-3 nothing typed, or space alone, finds everything', () => {
  fc.assert(fc.property(fc.string(), (text) => matches(text, '') && matches(text, ' \t ')))
})

test('UI-3 what is written is always found by any words of it', () => {
  const words = fc.array(fc.stringMatching(/^[a-zA-Zäéñ]{1,8}$/), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(words, fc.nat(), (list, at) => {
      const some = [list[at % list.length], list[0]].join('  ')
      expect(matches(list.join(' '), some.toUpperCase().toLowerCase())).toBe(true)
    }),
  )
})

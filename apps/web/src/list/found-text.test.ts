import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foundText } from './found-text.ts'

test('UI-1 the words that a search found are near the beginning of their line', () => {
  expect(foundText('the \u0002minute\u0003 hand of a \u0002minute\u0003')).toEqual({
    text: 'the minute hand of a minute',
    hit: 'minute',
  })
  const far = 'a long way before anything is said of \u0002minutes\u0003 and hours'
  expect(foundText(far).text).toBe('…is said of minutes and hours')
  expect(foundText(`${'x'.repeat(200)}\u0002y\u0003`).text).toBe(`…${'x'.repeat(16)}y`)
  expect(foundText('no mark')).toEqual({ text: 'no mark', hit: '' })
})

const hasMark = (text: string) => text.includes('\u0002') || text.includes('\u0003')

test('UI-1 a cut through a found text always falls between characters and leaves no mark', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((words) => !hasMark(words))
  fc.assert(
    fc.property(text, text, text, (before, hit, after) => {
      const found = foundText(`${before}\u0002${hit}\u0003${after}`)
      const shown = found.text
      expect(found.hit).toBe(hit)
      expect(shown.isWellFormed()).toBe(true)
      expect(hasMark(shown)).toBe(false)
      expect(shown.endsWith(hit + after)).toBe(true)
    }),
  )
})

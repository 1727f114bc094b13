import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortenMarks } from './shorten-marks.ts'

const MARK = '\u0301'

test('SX-11 a character keeps 16 marks, and those beyond are one sign', () => {
  expect(shortenMarks(`a${MARK.repeat(16)}b`)).toBe(`a${MARK.repeat(16)}b`)
  expect(shortenMarks(`a${MARK.repeat(17)}b`)).toBe(`a${MARK.repeat(16)}…b`)
  expect(shortenMarks(`a${MARK.repeat(100_000)}b`)).toBe(`a${MARK.repeat(16)}…b`)
})

test('SX-11 each character is shortened for itself, and marks without one too', () => {
  const stack = MARK.repeat(20)
  const short = `${MARK.repeat(16)}…`
  expect(shortenMarks(`${stack}a${stack}b${stack}`)).toBe(`${short}a${short}b${short}`)
})

test('SX-11 joiners count as marks, so that they can’t divide a stack', () => {
  expect(shortenMarks(`a${`${MARK}\u200d\u200c`.repeat(50)}`)).toBe(
    `a${`${MARK}\u200d\u200c`.repeat(5)}${MARK}…`,
  )
})

test.each([
  ['Vietnamese', 'Tiếng Việt'.normalize('NFD')],
  ['Hebrew with points', 'בְּרֵאשִׁית'],
  ['Tibetan', 'བསྒྲུབས'],
  ['Thai', 'ที่นี่'],
  ['Arabic', 'بِسْمِ ٱللَّٰهِ'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a flag', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('SX-11 a text in %s stays as it is', (_, text) => {
  expect(shortenMarks(text)).toBe(text)
})

test('SX-11 no text keeps a longer stack, and its other characters are all kept in order', () => {
  const unit = fc.constantFrom('a', 'é', '…', ' ', MARK, '\u0489', '\u200d', '👍')
  const stack = fc
    .tuple(fc.constantFrom('x', ''), fc.nat(40))
    .map(([base, count]) => base + MARK.repeat(count))
  const text = fc.array(fc.oneof(unit, stack), { maxLength: 40 }).map((pieces) => pieces.join(''))
  const bare = (of: string) => of.replace(/\p{M}|\u200c|\u200d|…/gu, '')
  fc.assert(
    fc.property(text, (written) => {
      const shown = shortenMarks(written)
      expect(shown).not.toMatch(/(?:\p{M}|\u200c|\u200d){17}/u)
      expect(bare(shown)).toBe(bare(written))
      expect(shortenMarks(shown)).toBe(shown)
    }),
  )
})

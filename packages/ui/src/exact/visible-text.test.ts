import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleText, visibleWords } from './visible-text.ts'

/** Characters that are not seen, or that change what others look like. */
const UNSEEN = [
  ...['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\u200E', '\u200F', '\u061C', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u180E'],
  ...['\u2028', '\u2029', '\uFE00', '\uFE0F', '\u{E0100}', '\u{E0001}', '\u{E0041}', '\u{E007F}'],
  ...['\u3164', '\u115F', '\u1160', '\uFFA0', '\u2800', '\uFFFC', '\u034F', '\u{1D159}', '\u{1D173}'],
  ...[
    '\u0000',
    '\u0007',
    '\u0008',
    '\u000B',
    '\r',
    '\u001B',
    '\u007F',
    '\u0085',
    '\u009B',
    '\uD800',
    '\uE000',
  ],
]
const BLANKS = ['\u00A0', '\u1680', '\u2003', '\u200A', '\u202F', '\u205F', '\u3000']

test.each([...UNSEEN, ...BLANKS].map((sign) => [sign.codePointAt(0)?.toString(16), sign]))(
  'PE-8 in an act U+%s is written as its code',
  (code, sign) => {
    expect(visibleText(`rm ${sign}x`)).toBe(`rm \\u{${code}}x`)
  },
)

test.each(UNSEEN.map((sign) => [sign.codePointAt(0)?.toString(16), sign]))(
  'PE-8 among Latin words U+%s is written as its code',
  (code, sign) => {
    expect(visibleWords(`pay${sign}pal`)).toBe(`pay\\u{${code}}pal`)
  },
)

test.each([
  '❤️ done',
  '👩‍💻 at work',
  '👍🏽',
  '1️⃣ first',
  'می‌خواهم',
  'क्‍ष',
  'שלום עולם',
  '10\u00A0%',
  'plain\ttext\n',
])('UI-1 the words %s stay as they are', (words) => {
  expect(visibleWords(words)).toBe(words)
})

test('PE-8 five marks on one character are as many as four and a code', () => {
  expect(visibleText(`a${'\u0301'.repeat(6)}b`)).toBe(`a${'\u0301'.repeat(4)}\\u{301}\\u{301}b`)
})

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...UNSEEN, ...BLANKS, ' ', '\t', '\n', 'a', 'ש', '\u0301', '-'))
    .map((all) => all.join('')),
)
const HIDDEN = /(?![\n\t ])[\p{C}\p{DI}\p{Z}\u2800]|\p{M}{5}/u

test('PE-8 whatever a text holds, nothing of the text of an act is hidden, and its codes give it back', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const shown = visibleText(text)
      expect(shown).not.toMatch(HIDDEN)
      fc.pre(!text.includes('\\u{'))
      const back = shown.replace(/\\u\{([\da-f]+)\}/g, (_, code) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      )
      expect(back).toBe(text)
    }),
  )
})

test('PE-8 a text without hidden characters is not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!HIDDEN.test(text))
      expect([visibleText(text), visibleWords(text)]).toEqual([text, text])
    }),
  )
})

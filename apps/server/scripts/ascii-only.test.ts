import { expect, test } from 'vitest'
import { escapeCharacters } from './ascii-only.ts'

/** What an expression of JavaScript is. */
const resultOf = (expression: string): unknown => new Function(`return ${expression}`)()

test('PF-7 what is built has no character beyond ASCII, and its texts and patterns are the same', () => {
  for (const expression of [
    '"… and “more”"',
    '`$' + '{1}…🜂`',
    '"a🜂b".match(/[🜂é]/gu)',
    '"“x”".replace(/[“”]+/g, "")',
    '/* → */ "ß".toUpperCase()',
  ]) {
    const escaped = escapeCharacters(expression)
    expect(/^[\0-\x7f]*$/.test(escaped)).toBe(true)
    expect(resultOf(escaped)).toEqual(resultOf(expression))
  }
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOutput } from './plain-output.ts'

const ESC = '\u001B'

test.for([
  [`${ESC}[1;31mred${ESC}[0m`, 'red'],
  [`${ESC}]0;title\u0007text`, 'text'],
  [`${ESC}]8;;https://x${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
  [`a${ESC}[2K${ESC}[1Gb`, 'ab'],
  ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['a\r\r\nb\r\r\n', 'a\nb\n'],
  ['10 %\r50 %\r', '50 %'],
  ['10 %\r\n\r50 %\r', '10 %\n50 %'],
  ['bell\u0007 back\b\u0000', 'bell back'],
  ['abc\u202Edef', 'abcdef'],
  [`${ESC}(Btext${ESC}=`, 'text'],
  ['tab\tstays\n', 'tab\tstays\n'],
] as const)('UI-9 the output of a command is shown as a text: %j', ([output, shown]) => {
  expect(plainOutput(output)).toBe(shown)
})

test('UI-9 no control character of an output is shown but tabs and line breaks', () => {
  const unit = fc.constantFrom(
    ESC,
    '[',
    ']',
    ';',
    'm',
    '\r',
    '\n',
    '\u0007',
    '\u009B',
    '\u202E',
    'a',
    '\\',
    'P',
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
      expect(plainOutput(text)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
    }),
    { numRuns: 500 },
  )
})

test('UI-9 a line that was written over shows its last state, before and after its line ends', () => {
  const state = fc.stringMatching(/^[a-z0-9 %]{1,8}$/)
  const line = fc.array(state, { minLength: 1, maxLength: 4 })
  const end = fc.constantFrom('', '\r', '\r\r')
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 5 }), (lines) => {
      const output = lines.map(([states, returns]) => states.join('\r') + returns).join('\n')
      expect(plainOutput(output)).toBe(lines.map(([states]) => states.at(-1)).join('\n'))
    }),
  )
})

test.each([
  ['of one line', 'a'.repeat(2_000_000), 2_000_000],
  ['of line ends without lines', `${'\r'.repeat(2_000_000)}a`, 1],
  ['of a line that was written over', `${'a\r'.repeat(1_000_000)}b`, 1],
  ['of separators', '\u2028'.repeat(2_000_000), 2_000_000],
])('UI-9 an output %s is drawn whole, however long it is', (_, output, length) => {
  expect(plainOutput(output)).toHaveLength(length)
})

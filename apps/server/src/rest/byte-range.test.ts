import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteRange } from './byte-range.ts'

const whole = { size: 100, tag: '"t"' }

test.for([
  [{}, null],
  [{ range: 'bytes=0-9' }, { start: 0, end: 10 }],
  [{ range: 'bytes=90-' }, { start: 90, end: 100 }],
  [{ range: 'bytes=-10' }, { start: 90, end: 100 }],
  [{ range: 'bytes=-1000' }, { start: 0, end: 100 }],
  [{ range: 'bytes=50-1000' }, { start: 50, end: 100 }],
  [{ range: 'bytes=100-' }, 'unsatisfiable'],
  [{ range: 'bytes=-0' }, 'unsatisfiable'],
  [{ range: 'bytes=9-0' }, null],
  [{ range: 'bytes=0-1,5-6' }, null],
  [{ range: 'lines=0-1' }, null],
  [
    { range: 'bytes=0-9', 'if-range': '"t"' },
    { start: 0, end: 10 },
  ],
  [{ range: 'bytes=0-9', 'if-range': '"other"' }, null],
] as const)('UI-33 the range of %j of 100 bytes is %j', ([headers, expected]) => {
  expect(byteRange(headers, whole)).toEqual(expected)
})

test('UI-33 any range lies inside the file, whatever a caller writes', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(), (text, size, a, b) => {
      for (const range of [text, `bytes=${text}`, `bytes=${a}-${b}`, `bytes=-${a}`, `bytes=${a}-`]) {
        const found = byteRange({ range }, { size, tag: '"t"' })
        if (found === null || found === 'unsatisfiable') continue
        expect(0 <= found.start && found.start < found.end && found.end <= size).toBe(true)
      }
    }),
  )
})

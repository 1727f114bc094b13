import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inRanges, toRanges } from './seq-ranges.ts'

test('RW-3 ranges hold the places that they were made of, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), (seqs) => {
      const ranges = toRanges(seqs)
      for (let seq = 0; seq <= 61; seq++) expect(inRanges(ranges, seq)).toBe(seqs.includes(seq))
      for (const [index, [from]] of ranges.slice(1).entries())
        expect(from).toBeGreaterThan((ranges[index]?.[1] ?? 0) + 1)
    }),
  )
})

test('PF-6 a place is found among many ranges without looking at each', () => {
  let looks = 0
  const ranges = new Proxy(toRanges(Array.from({ length: 100_000 }, (_, index) => 2 * index)), {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  expect([inRanges(ranges, 123_456), inRanges(ranges, 123_457)]).toEqual([true, false])
  expect(looks).toBeLessThan(40)
})

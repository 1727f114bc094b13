import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCache } from './create-cache.ts'

const step = fc.tuple(fc.constantFrom('get', 'set'), fc.constantFrom(...'abcde'))

test('UI-8 a cache always holds the values that were used last, and no more than it may', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step), (limit, steps) => {
      const cache = createCache<number>(limit)
      let recent: { key: string; value: number }[] = []
      for (const [at, [act, key]] of steps.entries()) {
        const known = recent.find((entry) => entry.key === key)
        if (act === 'get') expect(cache.get(key)).toBe(known?.value)
        else cache.set(key, at)
        const used = act === 'set' ? { key, value: at } : known
        if (used) recent = [used, ...recent.filter((entry) => entry.key !== key)].slice(0, limit)
      }
      for (const { key, value } of recent.toReversed()) expect(cache.get(key)).toBe(value)
    }),
  )
})

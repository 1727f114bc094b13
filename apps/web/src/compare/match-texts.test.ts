import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchTexts } from './match-texts.ts'

const texts = fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 6 }), { maxLength: 7 })

/** Every way to leave out some of a list, by places. */
function choices(length: number): number[][] {
  return Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (__, at) => at).filter((at) => (bits >> at) & 1),
  )
}

/** The most pairs that there can be, by trying all. */
function mostPairs(left: (string | null)[], right: (string | null)[]): number {
  const wordsOf = (list: (string | null)[], places: number[]) => places.map((at) => list[at] ?? `null ${at}`)
  const named = new Set(choices(left.length).map((places) => wordsOf(left, places).join()))
  return Math.max(
    ...choices(right.length)
      .filter((places) => places.every((at) => right[at] !== null))
      .filter((places) => named.has(wordsOf(right, places).join()))
      .map(({ length }) => length),
  )
}

test('UI-34 equal texts of two lists are paired in order, as many as there can be', () => {
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      const pairs = matchTexts(left, right)
      for (const [l, r] of pairs) {
        expect(left[l]).toBe(right[r])
        expect(left[l]).not.toBeNull()
      }
      const rising = (at: 0 | 1) =>
        pairs.every((pair, index) => index === 0 || pair[at] > (pairs[index - 1]?.[at] ?? 0))
      expect([rising(0), rising(1)]).toEqual([true, true])
      expect(pairs).toHaveLength(mostPairs(left, right))
    }),
  )
})

test('UI-34 texts that end both lists are paired with each other', () => {
  fc.assert(
    fc.property(texts, texts, fc.constantFrom('a', 'b'), (left, right, sent) => {
      expect(matchTexts([...left, sent], [...right, sent]).at(-1)).toEqual([left.length, right.length])
    }),
  )
})

test('UI-34 lists of 5,000 different texts are compared in bounded time', () => {
  const many = (name: string) => Array.from({ length: 5_000 }, (_, at) => `${name} ${at}`)
  expect(matchTexts([...many('left'), 'same'], ['same', ...many('right')])).toEqual([])
  expect(matchTexts([...many('left'), 'same', 'x'], [...many('right'), 'same', 'y'])).toEqual([
    [5_000, 5_000],
  ])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  searchableText,
  searchHits,
  searchSlice,
  searchSnippet,
  searchTerms,
  searchWords,
} from './search-text.ts'

test('SX-10 a long word is cut into words of 256 characters', () => {
  const words = searchWords('a'.repeat(8_000_000))
  expect(words).toHaveLength(31_250)
  expect(words[0]).toBe('a'.repeat(256))
  expect(searchWords(`e${'\u0301'.repeat(1_000_000)}`)).toEqual(['e'])
})

test('SX-10 the first million characters of a message are searched', () => {
  const text = (length: number) => searchableText([{ type: 'text', text: 'a'.repeat(length) }])
  expect(text(1_000_000)).toHaveLength(1_000_000)
  expect(text(1_000_001)).toHaveLength(1_000_000)
})

test('SX-10 the slices of a text hold the words of the text, and each is of a few thousand', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '天', '-', '😀'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4_000, size: 'max' }), (words) => {
      const text = words.join(' ')
      const sliced = new Set<string>()
      for (let from = 0; from < text.length; ) {
        const slice = searchSlice(text, from)
        expect(slice.words.length).toBeLessThan(8_192)
        for (const each of slice.words) sliced.add(each)
        from = slice.to
      }
      expect([...sliced].sort()).toEqual([...new Set(searchWords(text))].sort())
    }),
    { numRuns: 30 },
  )
})

test('SX-10 the hits of a search in a text are its words that the snippet marks, in order', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'ß', '天', '-', ' '), maxLength: 30 })
  fc.assert(
    fc.property(word, word, (text, query) => {
      const terms = searchTerms(query)
      if (terms === null) return
      const hits = searchHits(text, terms)
      const [, ...rest] = searchSnippet(text, terms).split('\u0002')
      const marked = rest.map((piece) => piece.split('\u0003')[0])
      expect(hits.map(({ start, end }) => text.slice(start, end))).toEqual(marked)
      const starts = hits.map(({ start }) => start)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    }),
  )
})

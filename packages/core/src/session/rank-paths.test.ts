import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankPaths } from './rank-paths.ts'

const PATHS = [
  'docs/readme-first.md',
  'README.md',
  'src/chat/read.ts',
  'src/ready/index.ts',
  'src/a/rxexaxd.ts',
  'rest/ear/ad.ts',
]

test('UI-12 files are ranked by the start of their name, their name, their path, then by characters in order', () => {
  expect(rankPaths(PATHS, 'read', 20)).toEqual([
    'README.md',
    'src/chat/read.ts',
    'docs/readme-first.md',
    'src/ready/index.ts',
    'src/a/rxexaxd.ts',
    'rest/ear/ad.ts',
  ])
})

test('UI-12 without a query the files that were changed last are named', () => {
  expect(rankPaths(PATHS, '', 2)).toEqual(PATHS.slice(0, 2))
})

test('UI-12 a query with a folder finds what is in it', () => {
  expect(rankPaths(PATHS, 'chat/r', 20)[0]).toBe('src/chat/read.ts')
})

test('UI-12 what does not fit is left out', () => {
  expect(rankPaths(PATHS, 'zebra', 20)).toEqual([])
})

test('UI-12 whatever is typed, the answer has at most as many of the paths as asked for, each once, and all of them fit', () => {
  const paths = fc.uniqueArray(fc.string({ maxLength: 12 }), { maxLength: 40 })
  fc.assert(
    fc.property(paths, fc.string({ maxLength: 6 }), fc.nat(25), (all, query, limit) => {
      const found = rankPaths(all, query, limit)
      expect(found.length).toBeLessThanOrEqual(limit)
      expect(new Set(found).size).toBe(found.length)
      for (const path of found) expect(all).toContain(path)
    }),
  )
})

test('UI-12 a path is found by every run of characters that it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'B', '/', '.', 'ä') }),
      fc.nat(19),
      (path, from) => {
        expect(rankPaths([path], path.slice(from).toUpperCase(), 1)).toEqual([path])
      },
    ),
  )
})

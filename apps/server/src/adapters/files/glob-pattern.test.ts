import fc from 'fast-check'
import { expect, test } from 'vitest'
import { globMatcher } from './glob-pattern.ts'

/** Pattern, paths that it matches, and paths that it does not. */
const TABLE: readonly [string, readonly string[], readonly string[]][] = [
  ['a.ts', ['a.ts'], ['b/a.ts', 'a.tsx', 'A.ts', 'a_ts', '']],
  ['*', ['a', '.hidden', 'a.b'], ['a/b']],
  ['*.ts', ['a.ts', '.ts'], ['src/a.ts', 'a.ts/b']],
  ['?', ['a', 'ü', '🙂'], ['', 'ab', '/']],
  ['a?c', ['abc', 'a-c'], ['ac', 'a/c', 'abbc']],
  ['**', ['a', 'a/b', 'a/b/c'], []],
  ['**/a', ['a', 'b/a', 'b/c/a'], ['ba', 'a/b']],
  ['a/**', ['a/b', 'a/b/c', 'a'], ['b/a', 'ab/c']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'b', 'a/b/c']],
  ['**/a/**', ['a', 'x/a/y', 'a/y', 'x/a'], ['xa/y', 'b']],
  ['a**b', ['ab', 'axb', 'a**b'], ['a/b']],
  ['src/**/*.test.ts', ['src/a.test.ts', 'src/x/y/a.test.ts'], ['a.test.ts', 'src/a.ts']],
  ['[ab].ts', ['a.ts', 'b.ts'], ['c.ts', 'ab.ts', '[ab].ts']],
  ['[a-c]', ['a', 'b', 'c'], ['d', '-', 'A']],
  ['[!a-c]', ['d', 'A', '-'], ['a', 'b', 'c', 'dd']],
  ['[a-]', ['a', '-'], ['b']],
  ['[]a]', [']', 'a'], ['b', '[]a]']],
  ['[!]]', ['a'], [']']],
  ['[]', ['[]'], ['', 'a']],
  ['[!]', ['[!]'], ['!', 'a']],
  ['[a', ['[a'], ['a']],
  ['a]', ['a]'], ['a']],
  ['[🙂ü]', ['🙂', 'ü'], ['u']],
  ['{a,b}.ts', ['a.ts', 'b.ts'], ['c.ts', '{a,b}.ts']],
  ['a{,.min}.js', ['a.js', 'a.min.js'], ['a..js']],
  ['{a,{b,c}}/d', ['a/d', 'b/d', 'c/d'], ['d', '{b/d']],
  ['{src,lib}/**', ['src/a', 'lib/b/c'], ['other/a']],
  ['{a/b,c}/d', ['a/b/d', 'c/d'], ['a/d', 'b/d']],
  ['{*,x/*}.ts', ['a.ts', 'x/a.ts'], ['y/a.ts']],
  ['{a}', ['a'], ['{a}']],
  ['a{b', ['a{b'], ['ab']],
  ['a}b', ['a}b'], ['ab']],
  ['./a', ['a'], ['b/a']],
  ['/a', ['a'], ['b/a']],
  ['.//./a', ['a'], []],
  ['.a', ['.a'], ['a']],
  ['a.b+c(d)^$|', ['a.b+c(d)^$|'], ['aXb+c(d)^$|', 'a.bbc(d)^$|']],
  ['a\\b', ['a\\b'], ['ab', 'a/b']],
  ['$&', ['$&'], ['{x}']],
  ['a b', ['a b'], ['a', 'ab']],
]

test.for(TABLE)('TO-1 the glob %s matches %j and not %j', ([pattern, yes, no]) => {
  const matches = globMatcher(pattern)
  expect(yes.filter((path) => !matches(path))).toEqual([])
  expect(no.filter(matches)).toEqual([])
})

const character = fc.constantFrom('a', 'b', '-', '.', '(', '+', 'ü', '🙂', ' ')
const name = fc.string({ unit: character, minLength: 1, maxLength: 6 })
const path = fc.array(name, { minLength: 1, maxLength: 5 })

test('TO-1 a path without wild characters matches itself alone', () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const [a, b] = [one.join('/'), other.join('/')]
      // What begins with `./` is written from the folder that is searched.
      fc.pre(!/^\.?\//.test(a))
      expect(globMatcher(a)(a)).toBe(true)
      expect(globMatcher(a)(b)).toBe(a === b)
    }),
  )
})

test('TO-1 ** takes any number of folders before, between and behind names', () => {
  fc.assert(
    fc.property(path, path, path, (before, middle, after) => {
      const [a, b, c] = [before.join('/'), middle.join('/'), after.join('/')]
      fc.pre(!/^\.?\//.test(a))
      expect(globMatcher(`**/${c}`)(`${a}/${b}/${c}`)).toBe(true)
      expect(globMatcher(`${a}/**/${c}`)(`${a}/${b}/${c}`)).toBe(true)
      expect(globMatcher(`${a}/**/${c}`)(`${a}/${c}`)).toBe(true)
      expect(globMatcher(`${a}/**`)(`${a}/${b}/${c}`)).toBe(true)
    }),
  )
})

test('TO-1 braces match what one of their texts matches, and nothing else', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }), {
    minLength: 2,
    maxLength: 5,
  })
  fc.assert(
    fc.property(
      words,
      words,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x') }),
      (some, more, text) => {
        const matches = globMatcher(`{${some.join(',')}}x{${more.join(',')}}`)
        const expected = some.some((a) => more.some((b) => `${a}x${b}` === text))
        expect(matches(text)).toBe(expected)
      },
    ),
  )
})

test('TO-1 a class and its negation divide all characters between them', () => {
  const inside = fc.string({ unit: fc.constantFrom('a', 'f', '-', '.', 'z'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(inside, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }), (text, sign) => {
      fc.pre(sign !== '/')
      expect(globMatcher(`[${text}]`)(sign)).toBe(!globMatcher(`[!${text}]`)(sign))
    }),
  )
})

test('TO-1 any text is a pattern, and answers for any path', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('*', '?', '[', ']', '{', '}', ',', '!', '-', '/', '.', 'a', '\\', '🙂', '\uD800'),
    maxLength: 60,
  })
  fc.assert(
    fc.property(hostile, hostile, (pattern, given) => {
      expect(typeof globMatcher(pattern)(given)).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})

test('TO-1 a pattern of many stars or braces is answered in a bounded number of steps', () => {
  const long = `${'a'.repeat(2_000)}b`
  expect(globMatcher('*a'.repeat(200))(long)).toBe(false)
  expect(globMatcher(`${'*a'.repeat(200)}b`)(long)).toBe(true)
  expect(globMatcher(`${'**/'.repeat(200)}x`)('a/'.repeat(500).concat('b'))).toBe(false)
  expect(globMatcher('{a,b}'.repeat(40))('a'.repeat(40))).toBe(false)
  expect(globMatcher('{'.repeat(1_000).concat('a', '}'.repeat(1_000)))('b')).toBe(false)
})

test('TO-1 six groups of two texts are all tried', () => {
  const matches = globMatcher('{a,b}'.repeat(6))
  for (let at = 0; at < 64; at += 1)
    expect(matches(at.toString(2).padStart(6, '0').replaceAll('0', 'a').replaceAll('1', 'b'))).toBe(true)
})

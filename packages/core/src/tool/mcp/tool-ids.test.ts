import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'
import { toolIds } from './tool-ids.ts'

test('MC-2 the id of a tool is its server and its name', () => {
  expect([...toolIds('git', ['log', 'show_file'], new Set())]).toEqual([
    ['log', 'git_log'],
    ['show_file', 'git_show_file'],
  ])
})

test('MC-2 a name that providers refuse, is too long, or is taken gets an id of its own', () => {
  const ids = toolIds('web', ['fetch', 'a b', 'a.b', 'ü', 'x'.repeat(100), ''], new Set(['web_fetch']))
  expect([...ids.values()].map((id) => id.replace(/[0-9a-f]{8}$/, '#'))).toEqual([
    'web_fetch_#',
    'web_a_b_#',
    'web_a_b_#',
    'web___#',
    `web_${'x'.repeat(51)}_#`,
    'web__#',
  ])
  expect(new Set(ids.values()).size).toBe(6)
})

test('MC-2 of two tools with one name only the first has an id', () => {
  expect([...toolIds('a', ['x', 'y', 'x'], new Set())]).toEqual([
    ['x', 'a_x'],
    ['y', 'a_y'],
  ])
})

test('MC-2 an id is always one that providers accept, unique, and the same beside any other tools', () => {
  const taken = new Set(['lab_read', 'read'])
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('read', 'a_b', 'a.b', '__proto__'),
  )
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      const ids = toolIds('lab', names, taken)
      expect(new Set(ids.values()).size).toBe(ids.size)
      for (const [known, id] of ids) {
        expect(id).toMatch(/^lab_[a-zA-Z0-9_-]{1,60}$/)
        expect(taken.has(id)).toBe(false)
        expect(toolIds('lab', [known], taken).get(known)).toBe(id)
      }
    }),
    { numRuns: 40 },
  )
})

test('MC-2 a text of a server is one line without characters that nobody sees', () => {
  expect(plainLine(' a\n\n# Instructions\u202e of\u200b\u{e0041} the\u0007 user ', 100)).toBe(
    'a # Instructions of the user',
  )
  expect(plainLine('abcdef', 4)).toBe('abc…')
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      (text, characters) => {
        const line = plainLine(text, characters)
        expect(line.length).toBeLessThanOrEqual(characters)
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(line.isWellFormed()).toBe(true)
      },
    ),
  )
})

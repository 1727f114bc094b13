import { expect, test } from 'vitest'
import { familyMark } from './family-mark.ts'

const session = (id: string, parentId: string | null, title = id) => ({ id, parentId, title })
const LIST = [session('root', null), session('a', 'root'), session('a1', 'a'), session('other', null)]
const renamed = (id: string) => LIST.map((one) => (one.id === id ? { ...one, title: 'New' } : one))

test.each([
  ['root', 'root'],
  ['a1', 'root'],
  ['a1', 'a'],
  ['root', 'a1'],
])('UI-19 in %s the family is read again once %s has another title', (open, named) => {
  expect(familyMark(renamed(named), open)).not.toBe(familyMark(LIST, open))
})

test('UI-19 the family is read again once a branch is made or deleted, and not for another chat', () => {
  const before = familyMark(LIST, 'a1')
  expect(familyMark([...LIST, session('b', 'root')], 'a1')).not.toBe(before)
  expect(familyMark(LIST.slice(0, 2), 'a')).not.toBe(familyMark(LIST, 'a'))
  expect(familyMark([session('new', null), ...renamed('other')], 'a1')).toBe(before)
})

test('UI-19 a session that is not in the list, or is its own ancestor, has a mark all the same', () => {
  expect(familyMark(LIST, 'unknown')).toBe(familyMark(LIST, 'elsewhere'))
  expect(familyMark([session('x', 'y'), session('y', 'x')], 'x')).toContain('y')
})

import { expect, test } from 'vitest'
import { foundName, versionName } from './version-name.ts'

const words = { branch: (number: string) => `Branch ${number}` }
const session = (id: string, parentId: string | null, title: string, facts = {}) => ({
  id,
  parentId,
  title,
  createdAt: 0,
  metadata: {},
  ...facts,
})

test('UI-19 a branch that still has its parent’s title is named by its number, side questions not counted', () => {
  const family = [
    session('root', null, 'A chat'),
    session('c', 'root', 'A chat', { createdAt: 3 }),
    session('b', 'root', 'A chat', { createdAt: 1 }),
    session('side', 'root', 'A chat', { createdAt: 2, metadata: { ephemeral: true } }),
    session('d', 'root', 'Named', { createdAt: 9 }),
  ]
  const names = family.map((one) => versionName(one, family, words))
  expect(names).toEqual(['A chat', 'Branch 2', 'Branch 1', 'A chat', 'Named'])
})

test('UI-19 no two branches of a family are called the same, however deep they are', () => {
  const family = [
    session('root', null, 'A chat'),
    session('a', 'root', 'A chat', { createdAt: 1 }),
    session('b', 'root', 'A chat', { createdAt: 2 }),
    session('b1', 'b', 'A chat', { createdAt: 3 }),
    session('b1a', 'b1', 'A chat', { createdAt: 4 }),
  ]
  const names = family.map((one) => versionName(one, family, words))
  expect(names).toEqual(['A chat', 'Branch 1', 'Branch 2', 'Branch 2.1', 'Branch 2.1.1'])
})

test('UI-1 outside of its family a branch without a title of its own has its parent’s title and its number', () => {
  const family = [
    session('root', null, 'A chat'),
    session('a', 'root', 'A chat', { createdAt: 1 }),
    session('named', 'root', 'Another', { createdAt: 2 }),
    session('a1', 'a', 'A chat', { createdAt: 3 }),
  ]
  const names = family.map((one) => foundName(one, family, words))
  expect(names).toEqual(['A chat', 'A chat · Branch 1', 'Another', 'A chat · Branch 1.1'])
})

test('UI-19 a branch whose parent is not known keeps its title', () => {
  expect(versionName(session('b', 'gone', 'A chat'), [], words)).toBe('A chat')
})

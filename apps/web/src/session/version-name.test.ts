import { expect, test } from 'vitest'
import { foundName, pageName, versionName } from './version-name.ts'

const words = {
  branch: (number: string) => `Branch ${number}`,
  unasked: (number: number | null) => (number === null ? 'Unasked' : `Unasked ${number}`),
}
const session = (id: string, parentId: string | null, title: string, facts = {}) => ({
  id,
  parentId,
  title,
  createdAt: 0,
  metadata: {},
  ...facts,
})

test('UI-19 a branch of an earlier release that has its parent’s title is named by its number, side questions not counted', () => {
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

test('UI-35 a branch is named by its first question, and says so while there is none', () => {
  const unasked = { metadata: { titledBy: 'parent' as const } }
  const family = [
    session('root', null, 'A chat'),
    session('a', 'root', 'Why oak?', { metadata: { titledBy: 'first-words' } }),
    session('b', 'root', 'A chat', { createdAt: 1, ...unasked }),
  ]
  expect(family.map((one) => versionName(one, family, words))).toEqual(['A chat', 'Why oak?', 'Unasked'])
  const second = session('c', 'a', 'Why oak?', { createdAt: 2, ...unasked })
  const more = [...family, second]
  expect(more.map((one) => versionName(one, more, words)).slice(2)).toEqual(['Unasked 1', 'Unasked 2'])
  expect(foundName(second, more, words)).toBe('Why oak? · Unasked 2')
})

test('UI-35 a branch whose first question is its parent’s title has that name', () => {
  const family = [
    session('root', null, 'Why oak?'),
    session('a', 'root', 'Why oak?', { metadata: { titledBy: 'first-words' } }),
  ]
  expect(family.map((one) => versionName(one, family, words))).toEqual(['Why oak?', 'Why oak?'])
})

test('UI-35 a chat that is being sent is called by its first words before the server has named it', () => {
  const message = { id: 'm', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Why  oak?' }] }
  const outgoing = [
    {
      message,
      model: null,
      queued: false,
      steer: false,
      replaces: null,
      createsSession: true,
      state: { type: 'sending' as const },
    },
  ]
  const name = (state: Parameters<typeof pageName>[0]) => pageName(state, null, words, versionName)
  expect(name({ session: null, outgoing, messages: [] })).toBe('Why oak?')
  expect(name({ session: null, outgoing: [], messages: [message] })).toBe('Why oak?')
  expect(name({ session: null, outgoing: [], messages: [] })).toBeNull()
})

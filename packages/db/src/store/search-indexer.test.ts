import type { Store } from '@palimpsest/core/ports'
import {
  asks,
  branchOf,
  exported,
  given,
  lease,
  newSession,
  removeSession,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** A million characters, most of them in words that occur once. */
const LONG = `first words ${Array.from({ length: 110_000 }, (_, index) => `word${index}`).join(' ')}`.slice(
  0,
  999_980,
)
const TEXT = `${LONG} ende final words`

async function found(store: Store, text: string): Promise<string[]> {
  const { items } = await store.messages.search({ text, limit: 5 })
  return items.map(({ messageId }) => messageId)
}

async function sessionsWith(store: Store, search: string): Promise<string[]> {
  const { items } = await store.sessions.list({ limit: 5, archived: false, ephemeral: true, search })
  return items.map(({ id }) => id)
}

/** What a file holds beside the rows of whole texts: rows of slices, and notes of texts that wait for theirs. */
function slicesIn(path: string): { slices: number; notes: number } {
  using file = Object.assign(new Sqlite(path, { readonly: true }), {
    [Symbol.dispose]: () => void file.close(),
  })
  const count = (sql: string) => Number(file.prepare(`SELECT count(*) ${sql}`).pluck().get())
  return {
    slices: count('FROM search_index_docsize WHERE id < 0'),
    notes: count("FROM store_meta WHERE key LIKE 'search:%'"),
  }
}

test('SX-10 a text of a million words is indexed a slice at a time, and found by all of them, once', async () => {
  const writes: number[] = []
  let statements = 0
  const observe = ({ sql }: { sql: string }) => {
    if (sql === 'COMMIT') writes.push(statements)
    else if (sql.includes('INTO search_index')) statements += 1
  }
  await using fixture = await temporaryStore({ observe })
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: TEXT, answer: 'word1' })
  expect(await found(store, 'first words')).toEqual(['m1'])
  await expect.poll(() => found(store, 'final words')).toEqual(['m1'])
  await expect.poll(() => slicesIn(path).notes).toBe(0)
  expect(slicesIn(path).slices).toBeGreaterThan(20)
  // No transaction writes more than the rows of two texts.
  expect(Math.max(...writes.map((count, index) => count - (writes[index - 1] ?? 0)))).toBeLessThanOrEqual(2)
  expect(await found(store, 'wor')).toEqual(['m1a', 'm1'])
  expect(await found(store, 'word100000 word100001')).toEqual(['m1'])
  expect(await sessionsWith(store, 'word100000 word100001')).toEqual(['a'])
  await removeSession(store, 'a')
  expect(slicesIn(path).slices).toBe(0)
  expect(await found(store, 'wor')).toEqual([])
})

test('SX-10 a branch and an import index the first slice of a long text, and the rest a slice at a time', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: TEXT, answer: 'Yes' })
  await expect.poll(() => slicesIn(path).notes).toBe(0)
  const { slices } = slicesIn(path)
  await store.history.importRows(given(await exported(store, 'a')))
  await expect.poll(() => slicesIn(path)).toEqual({ slices: 2 * slices, notes: 0 })
  await store.history.branch(branchOf('a', 'b', [1]))
  await expect.poll(() => slicesIn(path)).toEqual({ slices: 3 * slices, notes: 0 })
  expect(await found(store, 'final words')).toHaveLength(3)
  expect(await found(store, 'first words')).toHaveLength(3)
})

test('SX-10 a text whose indexing was interrupted is indexed to its end by the next start', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await store.runs.begin(lease('a', 1), asks(userMessage('a', 'm1', TEXT)))
  await store[Symbol.asyncDispose]()
  expect(slicesIn(path).notes).toBe(1)
  const next = await fixture.restart()
  await expect.poll(() => found(next, 'final words')).toEqual(['m1'])
  await expect.poll(() => slicesIn(path).notes).toBe(0)
})

test('SX-10 a session that is deleted while its text is indexed leaves nothing in the index', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1', { question: TEXT, answer: 'Yes' })
  await removeSession(store, 'a')
  await expect.poll(() => slicesIn(path)).toEqual({ slices: 0, notes: 0 })
})

test('DA-11 a note of a text that cannot be read stops no other text', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  const file = new Sqlite(path)
  const note = file.prepare('INSERT INTO store_meta (key, value) VALUES (?, ?)')
  for (const [key, value] of [
    ['search:', 'x:y'],
    ['search:!', '1:1'],
    ['search:1e400', '0:1e999'],
    ['search:-5', '1:2'],
  ])
    note.run(key, value)
  file.close()
  await turn(store, 'a', 'm1', { question: TEXT, answer: 'word1' })
  await expect.poll(() => found(store, 'final words')).toEqual(['m1'])
  await expect.poll(() => slicesIn(path).notes).toBe(0)
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from '@palimpsest/client'
import { systemClock } from '@palimpsest/core'
import type { StoredMessage } from '@palimpsest/core/domain'
import { openStore } from '@palimpsest/db'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { measureLibrary } from '../measure/library.ts'
import type { OurTarget } from '../targets/our-target.ts'
import { fakeTime } from '../testing/fake-target.ts'
import { copyBySql } from './copy-by-sql.ts'
import { LONG_SESSION, messageId, seedLibrary } from './seed.ts'
import { textOf } from './words.ts'

const SIZE = { sessions: 30, messagesPerSession: 4, longMessages: 25, longWords: 40 }

let folder = ''
let database = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-library-'))
  database = join(folder, 'library.db')
  await seedLibrary(database, SIZE)
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

const ALL = { limit: 200, archived: false, ephemeral: false }

const open = () => openStore({ url: `file:${database}`, clock: systemClock })

test('PF-5 the store opens the library, which has the requested size', async () => {
  await using store = await open()
  expect(await store.reports.counts()).toEqual({ sessions: 31, messages: 30 * 4 + 25 })
  const { items } = await store.sessions.list(ALL)
  expect(items.map(({ id }) => id)).toEqual([
    LONG_SESSION,
    ...Array.from({ length: 30 }, (_, session) => `s${29 - session}`),
  ])
})

test('PF-5 messages of the library are complete: roles alternate, each has its seq and one text', async () => {
  await using store = await open()
  const messages = await store.messages.visible('s7')
  expect(messages.map(({ id, role, seq }) => [id, role, seq])).toEqual([
    ['s7m0', 'user', 1],
    ['s7m1', 'assistant', 2],
    ['s7m2', 'user', 3],
    ['s7m3', 'assistant', 4],
  ])
  for (const { parts } of messages) {
    expect(parts).toMatchObject([
      { index: 0, data: { type: 'text', text: expect.stringMatching(/^\w+( \w+){11}$/) } },
    ])
  }
})

test('PF-6 messages of the long session have the requested number of words, and its window is counted', async () => {
  await using store = await open()
  const messages = await store.messages.visible(LONG_SESSION)
  expect(new Set(messages.map((message) => textIn(message).split(' ').length))).toEqual(new Set([40]))
  expect(messages.at(-2)?.metadata.window).toEqual({ tokens: (24 * 40 * 5) / 4 })
  const session = await store.sessions.get(LONG_SESSION)
  expect(session?.contextTokens).toBe((25 * 40 * 5) / 4)
  const { entries } = await store.history.outline(LONG_SESSION)
  expect(entries.at(-2)?.window).toEqual({ tokens: (24 * 40 * 5) / 4 })
})

test('PF-5 the library is searchable by words, and by prefixes of words', async () => {
  await using store = await open()
  const [message] = await store.messages.visible('s11')
  const text = textIn(message)
  const found = await store.messages.search({ text, limit: 200 })
  expect(found.items.map((hit) => hit.messageId)).toContain('s11m0')
  const begun = await store.messages.search({ text: text.slice(0, 2), limit: 200 })
  expect(begun.items.length).toBeGreaterThanOrEqual(found.items.length)
  expect((await store.sessions.list({ ...ALL, search: 'nowhereatall' })).items).toEqual([])
})

test('PF-6 the copy by plain SQL has every row of the original, is searchable, and does not change the original', async () => {
  const before = rowsOf(LONG_SESSION)
  expect(copyBySql(database, 'copy')).toBeGreaterThan(0)
  expect(rowsOf(LONG_SESSION)).toEqual(before)
  expect(rowsOf('copy')).toEqual(before)
  await using store = await open()
  const [original, copy] = await Promise.all([LONG_SESSION, 'copy'].map((id) => store.messages.visible(id)))
  expect(copy?.map((message) => [message.seq, textIn(message)])).toEqual(
    original?.map((message) => [message.seq, textIn(message)]),
  )
  const { items } = await store.messages.search({ text: 'ba', limit: 200, sessionId: 'copy' })
  const same = await store.messages.search({ text: 'ba', limit: 200, sessionId: LONG_SESSION })
  expect(items.length).toBeGreaterThan(0)
  expect(items).toHaveLength(same.items.length)
})

test('PF-6 an existing copy is not made again, and nothing of it is left', () => {
  copyBySql(database, 'twice')
  const before = rowsOf('twice')
  expect(() => copyBySql(database, 'twice')).toThrow(/UNIQUE/)
  expect(rowsOf('twice')).toEqual(before)
})

test('PF-5 messages have ids of session and place, and texts of their numbers', () => {
  expect([messageId('s3', 0), messageId(LONG_SESSION, 9_999)]).toEqual(['s3m0', 'longm9999'])
  expect(textOf(7, 3).split(' ')).toHaveLength(3)
  expect(textOf(7, 3)).toBe(textOf(7, 10).split(' ').slice(0, 3).join(' '))
})

test('PF-5 each query is timed alone: its warm-up is left out, and its p95 is held', async () => {
  const time = fakeTime()
  let calls = 0
  // Of the 20 measured calls of each query the first is slow: it is within the five percent that may be.
  const takes = (nth: number) => (nth < 10 ? 1000 : nth === 10 ? 300 : 4)
  const rows = await measureLibrary(
    fakeLibrary(() => {
      time.now += takes(calls++ % 30)
      return { nextCursor: null }
    }),
    SIZE,
    20,
  )
  expect(rows[0]).toMatchObject({
    what: 'session, 30 sessions, 120 messages',
    ours: '4.00 ms p95',
    result: '4.00 ms / 4.00 ms / 4.00 ms',
    goal: '≤ 20 ms',
    holds: true,
  })
  expect(rows.map(({ goal }) => goal)).toEqual([
    '≤ 20 ms',
    '≤ 20 ms',
    '≤ 50 ms',
    '≤ 50 ms',
    '≤ 50 ms',
    '≤ 50 ms',
  ])
})

test('PF-5 two slow calls in twenty are too many', async () => {
  const time = fakeTime()
  let calls = 0
  const rows = await measureLibrary(
    fakeLibrary(() => {
      time.now += calls++ % 10 === 0 ? 80 : 1
      return { nextCursor: null }
    }),
    SIZE,
    20,
  )
  expect(rows.map(({ ours, holds }) => [ours, holds])).toEqual(
    Array.from({ length: 6 }, () => ['80.0 ms p95', false]),
  )
})

test('PF-5 the list is read page after page, and from its start again after the last page', async () => {
  const cursors: unknown[] = []
  const pages = [{ nextCursor: 'a' }, { nextCursor: 'b' }, { nextCursor: null }]
  const library = fakeLibrary((what, input) => {
    if (what !== 'list' || 'search' in input) return {}
    cursors.push(input['cursor'] ?? null)
    return pages[(cursors.length - 1) % pages.length] ?? {}
  })
  await measureLibrary(library, SIZE, 1)
  expect(cursors.slice(0, 7)).toEqual([null, 'a', 'b', null, 'a', 'b', null])
})

function textIn(message: StoredMessage | undefined): string {
  const part = message?.parts[0]?.data
  return part?.type === 'text' ? part.text : ''
}

/** Rows that a session has in each table, and the characters of its parts. */
function rowsOf(session: string): unknown {
  using file = new DatabaseSync(database, { readOnly: true })
  const count = (sql: string) => Object.values(file.prepare(sql).get(session) ?? {})
  return [
    count('SELECT count(*) FROM chat_messages WHERE session_id = ?'),
    count('SELECT count(*), sum(length(data_json)) FROM chat_parts WHERE session_id = ?'),
    count('SELECT count(*) FROM search_entries WHERE session_id = ? AND message_id IS NOT NULL'),
  ]
}

/** A library whose answers a test provides. */
function fakeLibrary(answer: (what: string, input: Record<string, unknown>) => unknown): OurTarget {
  const query = (what: string) => ({
    query: (input: Record<string, unknown>) => Promise.resolve(answer(what, input)),
  })
  const client = {
    session: { get: query('get'), messages: query('messages'), list: query('list') },
    search: { messages: query('search') },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  // Only the measured procedures exist; any other call would fail the test.
  return { connect: () => client as unknown as Client } as unknown as OurTarget
}

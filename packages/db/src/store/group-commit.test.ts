import { newSession, replyWrite } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { openDatabase } from '../connect/database.ts'
import { temporaryStore } from '../testing/temporary-store.ts'
import { createGroupCommit } from './group-commit.ts'

test('DA-2 writes that arrive while one is under way share the next transaction', async () => {
  await using fixture = await temporaryStore()
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 2_000, epoch: 1 }
  await fixture.store.sessions.create(newSession('a'))
  await fixture.store.runs.begin(run, { type: 'existing', change: null })
  await using database = await openDatabase(fixture.path)
  let transactions = 0
  const commit = createGroupCommit({
    ...database,
    write: (work) => {
      transactions++
      return database.write(work)
    },
  })
  const write = (length: number) => replyWrite(run, 'r', [{ type: 'text', text: 'x'.repeat(length) }])
  await Promise.all(Array.from({ length: 500 }, (_, index) => commit.record(write(index))))
  expect(transactions).toBe(2)
  const message = await fixture.store.messages.get('a', 'r')
  expect(message?.parts[0]?.data).toMatchObject({ text: 'x'.repeat(499) })
})

test('DA-2 after a commit of many writes the next ones gather for 10 ms, after one of a few they do not wait', async () => {
  await using open = await openCommit()
  const waits: number[] = []
  const passed = Promise.withResolvers<void>()
  const commit = createGroupCommit(open.database, (ms) => {
    waits.push(ms)
    return passed.promise
  })
  const record = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => commit.record(says('a', `r${n}`, 'text'))))
  await record(9)
  expect(waits).toEqual([])
  await record(8)
  expect(waits).toEqual([])
  const first = commit.record(says('a', 'r1', 'one'))
  const many = record(9)
  await first
  await many
  expect(waits).toEqual([10])
  const later = commit.record(says('b', 'late', 'text'))
  expect(await open.store.messages.get('b', 'late')).toBeNull()
  passed.resolve()
  await later
  expect(await open.store.messages.get('b', 'late')).not.toBeNull()
})

test('DA-2 a store that cannot write says so to the caller, without words of the database', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 2_000, epoch: 1 }
  await store.sessions.create(newSession('a'))
  await store.runs.begin(run, { type: 'existing', change: null })
  const twice = { ...replyWrite(run, 'r', []), parts: ['p', 'q'].map((id) => ({ id, index: 0, data: TEXT })) }
  await expect(store.runs.record(twice)).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: 'The store could not do this. Nothing of it was written.',
  })
  expect(await store.messages.get('a', 'r')).toBeNull()
})

/** A group commit on a database of its own, with the sessions `a` and `b`. */
async function openCommit() {
  await using opened = new AsyncDisposableStack()
  const { store, path } = opened.use(await temporaryStore())
  for (const id of ['a', 'b']) {
    await store.sessions.create(newSession(id))
    await store.runs.begin(runOf(id), { type: 'existing', change: null })
  }
  const database = opened.use(await openDatabase(path))
  const kept = opened.move()
  const commit = createGroupCommit(database)
  return { store, database, commit, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const runOf = (sessionId: string) => ({ runId: `run_${sessionId}`, sessionId, startedAt: 2_000, epoch: 1 })

const says = (sessionId: string, messageId: string, text: string) =>
  replyWrite(runOf(sessionId), messageId, [{ type: 'text', text }])

test('DA-2 a write that fails in a shared transaction fails alone, and the others are stored', async () => {
  await using open = await openCommit()
  const { commit, store } = open
  const first = commit.record(says('a', 'r1', 'before'))
  const results = await Promise.allSettled([
    commit.record(says('a', 'r2', 'one')),
    commit.record(says('gone', 'r3', 'lost')),
    commit.record(says('b', 'r4', 'two')),
    commit.finish(says('b', 'r5', 'three'), () => Promise.reject(new Error('Not this one'))),
    commit.finish(says('b', 'r6', 'four'), () => Promise.resolve('done')),
  ])
  await first
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(results[1]).toMatchObject({ reason: { code: 'SESSION_NOT_FOUND' } })
  expect(results[3]).toMatchObject({ reason: { code: 'STORE_ERROR' } })
  expect(results[4]).toMatchObject({ value: 'done' })
  const there = ['r1', 'r2', 'r4', 'r5', 'r6'].map((id) => store.messages.get(id < 'r4' ? 'a' : 'b', id))
  expect((await Promise.all(there)).map((message) => message?.id)).toEqual([
    'r1',
    'r2',
    'r4',
    undefined,
    'r6',
  ])
})

test('DA-2 the work after the writes of a commit reads them, and no caller resolves before all of it is committed', async () => {
  await using open = await openCommit()
  const { commit, store } = open
  const order: string[] = []
  const finish = (id: string) =>
    commit
      .finish(says('a', id, id), async (queries) => {
        const rows = await queries.$queryRawUnsafe<unknown[]>('SELECT 1 FROM chat_messages WHERE id = ?', id)
        order.push(`in ${id}: ${rows.length}`)
        return id
      })
      .then(async (answer) => {
        order.push(`resolved ${answer}`)
        return await store.messages.get('a', answer)
      })
  const messages = await Promise.all([finish('r1'), finish('r2'), finish('r3')])
  expect(messages.every((message) => message !== null)).toBe(true)
  expect(order.filter((entry) => entry.startsWith('in'))).toEqual(['in r1: 1', 'in r2: 1', 'in r3: 1'])
  expect(order.indexOf('resolved r1')).toBeGreaterThan(order.indexOf('in r1: 1'))
  expect(order.indexOf('resolved r2')).toBeGreaterThan(order.indexOf('in r3: 1'))
})

test('DA-2 the last of several writes to one part in a transaction counts', async () => {
  await using open = await openCommit()
  const { commit, store } = open
  await Promise.all(['H', 'He', 'Hel', 'Hell', 'Hello'].map((text) => commit.record(says('a', 'r', text))))
  const message = await store.messages.get('a', 'r')
  expect(message?.parts.map(({ data }) => data)).toEqual([{ type: 'text', text: 'Hello' }])
})

const TEXT = { type: 'text' as const, text: 'x' }

import { newSession, replyWrite } from '@palimpsest/core/testing'
import { expect, test } from 'vitest'
import { openDatabase } from '../connect/database.ts'
import { temporaryStore } from '../testing/temporary-store.ts'
import { createGroupCommit } from './group-commit.ts'

test('DA-2 writes that arrive while one is under way share the next transaction', async () => {
  await using fixture = await temporaryStore()
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 2_000 }
  await fixture.store.sessions.create(newSession('a'))
  await using database = await openDatabase(fixture.path)
  let transactions = 0
  const commit = createGroupCommit({
    ...database,
    writeRaw: (work) => {
      transactions++
      return database.writeRaw(work)
    },
  })
  const write = (length: number) => replyWrite(run, 'r', [{ type: 'text', text: 'x'.repeat(length) }])
  await Promise.all(Array.from({ length: 500 }, (_, index) => commit.record(write(index))))
  expect(transactions).toBe(2)
  const message = await fixture.store.messages.get('a', 'r')
  expect(message?.parts[0]?.data).toMatchObject({ text: 'x'.repeat(499) })
})

test('DA-2 a store that cannot write says so to the caller, without words of the database', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 2_000 }
  await store.sessions.create(newSession('a'))
  await store.runs.begin(run, { type: 'existing', after: null })
  const twice = { ...replyWrite(run, 'r', []), parts: ['p', 'q'].map((id) => ({ id, index: 0, data: TEXT })) }
  await expect(store.runs.record(twice)).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: 'The store could not do this. Nothing of it was written.',
  })
  expect(await store.messages.get('a', 'r')).toBeNull()
})

const TEXT = { type: 'text' as const, text: 'x' }

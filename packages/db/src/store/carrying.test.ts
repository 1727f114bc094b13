import {
  branchOf,
  compaction,
  createMemoryStore,
  exported,
  given,
  newSession,
  planned,
  turn,
  userMessage,
} from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

function write(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

test('OB-1 an export of another store is imported as it is, and exported from here as the same bytes', async () => {
  await using memory = createMemoryStore()
  await using fixture = await temporaryStore()
  await memory.sessions.create(newSession('ses_a', { metadata: { titledBy: 'user' } }))
  for (const id of ['msg_1', 'msg_2']) await turn(memory, 'ses_a', id)
  await memory.history.apply(compaction('ses_a', 'op_1', { lastSeq: 4, to: 2 }))
  await memory.history.apply(planned('ses_a', 'op_2', { lastSeq: 5, hidden: [[4, 4]], beforeTokens: 5 }))
  await memory.queue.add(userMessage('ses_a', 'msg_3', 'later'), 9_000)
  const lines = await exported(memory, 'ses_a')
  await fixture.store.history.importRows(given(lines))
  expect(JSON.stringify(await exported(fixture.store, 'ses_a'))).toBe(JSON.stringify(lines))
})

test('DA-11 SX-12 what cannot be read is exported and branched as it is, and an import of it is refused by its line', async () => {
  await using source = await temporaryStore()
  await using target = await temporaryStore()
  await source.store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(source.store, 'a', id)
  await source.store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[4, 4]] }))
  write(source.path, `UPDATE chat_parts SET data_json = '{"type":"te' WHERE message_id = 'm1'`)
  write(source.path, `UPDATE chat_messages SET metadata_json = 'x' WHERE id = 'm1a'`)
  write(source.path, `UPDATE history_ops SET detail_json = '[' WHERE id = 'op_1'`)
  const { entries, operations } = await source.store.history.outline('a')
  expect(entries).toMatchObject([{}, { compactionId: null, window: null }, {}, { hiddenBy: 'op_1' }])
  expect(operations).toMatchObject([{ detail: { lastSeq: Number.MAX_SAFE_INTEGER, hidden: [], shown: [] } }])
  const lines = await exported(source.store, 'a')
  await expect(target.store.history.importRows(given(lines))).rejects.toThrow(
    'Line 3 cannot be imported: metadata_json must be JSON.',
  )
  expect(await target.store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
  await source.store.history.branch(branchOf('a', 'b', [1, 2, 3]))
  const [unreadable] = await source.store.messages.visible('b')
  expect(unreadable?.parts).toMatchObject([{ data: { type: 'data-unreadable' } }])
})

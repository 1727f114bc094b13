import { exported, newSession, planned, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'
import { REPORTED_ROWS, reportOnce, type UnreadableRow } from './unreadable-rows.ts'

const SECRET = 'what a person wrote'

test('DA-11 each row that cannot be read is reported once, by its ids and without what it holds', async () => {
  const reports: UnreadableRow[] = []
  await using fixture = await temporaryStore({ report: (row) => reports.push(row) })
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id)
  await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[4, 4]] }))
  const readAll = async () => {
    await store.sessions.get('a')
    await store.messages.page({ sessionId: 'a', limit: 9, hidden: true })
    await store.messages.get('a', 'm1a')
    await store.history.outline('a')
    await exported(store, 'a')
  }
  await readAll()
  expect(reports).toEqual([])
  const database = new Database(path)
  database.exec(`UPDATE chat_parts SET data_json = '{"type":"${SECRET}' WHERE message_id = 'm1a';
    UPDATE chat_messages SET metadata_json = '${SECRET}' WHERE id = 'm2';
    UPDATE history_ops SET detail_json = '${SECRET}';
    UPDATE chat_sessions SET metadata_json = '${SECRET}'`)
  database.close()
  for (let time = 0; time < 3; time++) await readAll()
  const sessionId = 'a'
  expect(reports).toHaveLength(4)
  expect(reports).toEqual(
    expect.arrayContaining([
      { table: 'chat_sessions', id: 'a', sessionId },
      { table: 'chat_parts', id: 'prt_m1a_0', sessionId },
      { table: 'chat_messages', id: 'm2', sessionId },
      { table: 'history_ops', id: 'op_1', sessionId },
    ]),
  )
  expect(JSON.stringify(reports)).not.toContain(SECRET)
})

test('DA-11 a store with very many rows that cannot be read reports the first 1,000', () => {
  let reports = 0
  const note = reportOnce(() => reports++)
  for (let row = 0; row < 2 * REPORTED_ROWS; row++)
    note({ table: 'chat_parts', id: `p${row}`, sessionId: 'a' })
  expect(reports).toBe(REPORTED_ROWS)
})

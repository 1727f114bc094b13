import { newSession, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const COUNTS = ['context_tokens', 'total_tokens', 'prompt_tokens', 'cost_usd', 'revision'] as const
const ODD = [1e308, -1e308, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, 0.5]

const cases = COUNTS.flatMap((column) => ODD.map((value) => ({ column, value })))

test('DA-11 DA-14 a session whose counts are no counts is listed and read with finite ones, and is purged', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('sound'))
  for (const index of cases.keys()) {
    await store.sessions.create(newSession(`s${index}`))
    await turn(store, `s${index}`, `m${index}`)
  }
  const damage = new Database(path)
  for (const [index, { column, value }] of cases.entries())
    damage.prepare(`UPDATE chat_sessions SET ${column} = ? WHERE id = ?`).run(value, `s${index}`)
  damage
    .prepare('UPDATE chat_sessions SET title = ?, agent = ? WHERE id = ?')
    .run(Buffer.from([1]), Buffer.from([2]), 's0')
  damage.close()
  const { items } = await store.sessions.list({ limit: 100, archived: false, ephemeral: true })
  expect(items).toHaveLength(cases.length + 1)
  for (const session of items) {
    const numbers = Object.values(session).filter((value) => typeof value === 'number')
    for (const value of numbers)
      expect(Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER).toBe(true)
    expect(typeof session.title).toBe('string')
  }
  for (const index of cases.keys()) {
    await store.sessions.delete(`s${index}`, { withBranches: false, at: 9_000 })
    expect((await store.sessions.purge(`s${index}`)).sessions).toEqual([`s${index}`])
  }
  expect(
    (await store.sessions.list({ limit: 100, archived: false, ephemeral: true })).items.map(({ id }) => id),
  ).toEqual(['sound'])
})

test('DA-11 the window of an earlier import keeps its tokens, and its scale is between a half and two', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  await turn(store, 'a', 'm1')
  const window = JSON.stringify({ tokens: 70, scale: 1e308 })
  const damage = new Database(path)
  damage
    .prepare(
      `UPDATE chat_messages SET metadata_json = json_set(metadata_json, '$.window', json(?)), window_json = ? WHERE id = 'm1a'`,
    )
    .run(window, window)
  damage.close()
  const sound = { tokens: 70, scale: 2 }
  expect((await store.messages.get('a', 'm1a'))?.metadata.window).toEqual(sound)
  const { entries } = await store.history.outline('a')
  expect(entries.find(({ id }) => id === 'm1a')?.window).toEqual(sound)
})

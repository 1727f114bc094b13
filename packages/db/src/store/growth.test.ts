import { statSync } from 'node:fs'
import { newSession, replyWrite } from '@palimpsest/core/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** Bytes of the file once its log is folded in. */
function settledSize(path: string): number {
  const database = new Database(path)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(path).size
}

/** Text whose words differ, as those of a real reply do. */
function words(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `${((from + index) * 7_919).toString(36)} the `).join('')
}

test('DA-13 a long streamed reply costs at most three times its bytes, search index included', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  const run = { runId: 'run_1', sessionId: 'a', startedAt: 2_000, epoch: 1 }
  await store.runs.begin(run, { type: 'existing', change: null })
  const before = settledSize(path)
  let text = ''
  for (let index = 0; index < 600; index++) {
    text += words(index * 50, 50)
    await store.runs.record(replyWrite(run, 'r', [{ type: 'text', text }]))
  }
  await store.runs.end(run, replyWrite(run, 'r', [{ type: 'text', text }]), 3_000)
  const bytes = Buffer.byteLength(text)
  expect(bytes).toBeGreaterThan(250_000)
  expect(settledSize(path) - before).toBeLessThan(3 * bytes)
  expect(statSync(`${path}-wal`).size).toBeLessThan(16_000_000)
}, 30_000)

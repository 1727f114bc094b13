import { statSync } from 'node:fs'
import { type ChatChunk, initialReduction, type Reduction, reduceChunk } from '@palimpsest/core/domain'
import type { RunLease, Store } from '@palimpsest/core/ports'
import { newSession, replyWrite } from '@palimpsest/testing'
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

/** Bytes of the pages that are in use, and of those that hold the log. */
function usedBytes(path: string): { all: number; log: number } {
  const database = new Database(path, { readonly: true })
  const pages = 'SELECT coalesce(sum(pgsize), 0) AS bytes FROM dbstat'
  const read = (sql: string) => (database.prepare(sql).get() as { bytes: number }).bytes
  const sizes = { all: read(pages), log: read(`${pages} WHERE name LIKE '%run_chunks%'`) }
  database.close()
  return sizes
}

/** Streams a reply of deltas of 20 characters, one row of the log each, folded every 64 kB and at its end. */
async function streamReply(store: Store, run: RunLease, text: string): Promise<void> {
  await store.runs.begin(run, { type: 'existing', change: null })
  const { runId, sessionId, epoch } = run
  const id = `msg_${runId}`
  let reduction: Reduction = initialReduction(id)
  const record = (chunks: ChatChunk[], isFold: boolean) => {
    reduction = chunks.reduce(reduceChunk, reduction)
    const log = { runId, epoch, chunks, open: isFold ? reduction.open : null }
    const write = replyWrite({ ...run, sessionId }, id, isFold ? reduction.message.parts : [])
    return { ...write, metadata: isFold ? write.metadata : null, log }
  }
  await store.runs.record(record([{ type: 'start' }, { type: 'text-start', id: '0' }], true))
  for (let start = 0; start < text.length; start += 20) {
    const delta = { type: 'text-delta', id: '0', delta: text.slice(start, start + 20) } as const
    await store.runs.record(record([delta], start % 65_520 === 0))
  }
  await store.runs.end(run, record([{ type: 'text-end', id: '0' }, { type: 'finish' }], true), 3_000)
}

test('DA-13 the log of a reply costs a constant for each write, is gone after the run, and the next log reuses its pages', async ({
  annotate,
}) => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  await store.sessions.create(newSession('a'))
  const text = words(0, 7_000).slice(0, 60_000)
  expect(text).toHaveLength(60_000)
  const before = usedBytes(path)
  await streamReply(store, { runId: 'run_1', sessionId: 'a', startedAt: 2_000, epoch: 1 }, text)
  const streamed = usedBytes(path)
  await store.runs.dropLog('run_1')
  const kept = usedBytes(path)
  const file = settledSize(path)
  await streamReply(store, { runId: 'run_2', sessionId: 'a', startedAt: 4_000, epoch: 1 }, text)
  await store.runs.dropLog('run_2')
  const ratio = (bytes: number) => (bytes / text.length).toFixed(2)
  const log = streamed.log - before.log
  await annotate(`log of 3,000 writes: ${log} bytes, ${ratio(log)} × the text`)
  await annotate(`kept: ${kept.all - before.all} bytes, ${ratio(kept.all - before.all)} × the text`)
  await annotate(`file after another reply: + ${settledSize(path) - file} bytes`)
  expect(log / 3_000).toBeLessThan(256)
  expect(kept.log).toBe(before.log)
  expect(kept.all - before.all).toBeLessThan(3 * text.length)
  // Without the free pages of the first log it would be the log and what is kept of the reply: 7 ×.
  expect(settledSize(path) - file).toBeLessThan(4 * text.length)
}, 30_000)

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Client } from '@palimpsest/client'
import type { ChatChunk } from '@palimpsest/core/domain'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { LONG_SESSION, seedLibrary } from '../library/seed.ts'
import { fromPrompt, PLAIN_DELTA } from '../script.ts'
import type { OurTarget } from '../targets/our-target.ts'
import { type FakeTime, fakeTime } from '../testing/fake-target.ts'
import { measureAttach, measureViewers } from './attach.ts'
import { measureHistory } from './history.ts'

afterEach(() => vi.restoreAllMocks())

type Watching = {
  /** Milliseconds until one of so many viewers has the whole text. */
  takes(viewers: number, attach: number): number
  /** Milliseconds of processor time of a run with so many viewers; unknown by default. */
  cpu?(viewers: number): number
  /** Changes the text on its way to a viewer. */
  deliver?(text: string): string
}

/** A target whose viewers receive everything at once, after the time that a test sets. */
function watchedTarget(time: FakeTime, { takes, cpu, deliver = (words) => words }: Watching) {
  const happened = { attached: 0, open: 0, aborted: 0 }
  let script = { deltas: 0, open: false }
  let clients = 0
  let cpuMs = 0
  const subscribe = (
    _input: unknown,
    observer: { onStarted(): void; onData(c: ChatChunk[]): void; onComplete(): void },
  ) => {
    const attach = happened.attached++
    happened.open += 1
    queueMicrotask(() => {
      time.now += takes(clients, attach)
      observer.onStarted()
      observer.onData([{ type: 'text-delta', id: '1', delta: deliver(PLAIN_DELTA.repeat(script.deltas)) }])
      if (script.open) return
      observer.onData([{ type: 'finish' }])
      observer.onComplete()
    })
    return { unsubscribe: () => void happened.open-- }
  }
  const session = {
    create: { mutate: () => Promise.resolve({ id: 'ses_1' }) },
    status: { query: () => Promise.resolve({ state: 'idle' }) },
    send: {
      mutate({ message }: { message: { parts: { text: string }[] } }) {
        const asked = fromPrompt(message.parts[0]?.text ?? '')
        script = { deltas: asked?.deltas ?? 0, open: asked?.open ?? false }
        cpuMs += cpu?.(clients) ?? 0
        return Promise.resolve({ runId: 'run_1', messageId: 'msg_1', queued: false })
      },
    },
    abort: {
      mutate() {
        happened.aborted += 1
        return Promise.resolve({ aborted: true })
      },
    },
    stream: { subscribe },
  }
  const target = {
    server: { cpuMs: () => (cpu === undefined ? null : cpuMs), rss: () => null },
    connect() {
      clients += 1
      // Only the measured procedures exist; any other call would fail the test.
      return { session, dispose: () => Promise.resolve(void clients--) } as unknown as Client
    },
  }
  return { ours: target as unknown as OurTarget, happened, open: () => clients }
}

test('PF-4 attaching is measured until the whole text is there; the client that started the run is not a viewer', async () => {
  const time = fakeTime()
  const { ours, happened, open } = watchedTarget(time, {
    takes: (_viewers, attach) => (attach === 0 ? 5000 : 40 + attach),
  })
  expect(await measureAttach(ours, 50_000, 5)).toMatchObject({
    what: 'attach to 50000 deltas',
    ours: '43.0 ms',
    result: '41.0 ms / 43.0 ms / 45.0 ms',
    holds: true,
  })
  expect(happened).toEqual({ attached: 6, open: 0, aborted: 1 })
  expect(open()).toBe(0)
})

test('PF-4 a median attach of more than 150 ms is too slow', async () => {
  const { ours } = watchedTarget(fakeTime(), { takes: (_viewers, attach) => (attach < 3 ? 10 : 151) })
  expect(await measureAttach(ours, 100, 5)).toMatchObject({ ours: '151 ms', holds: false })
})

test('PF-4 fifty viewers are compared with one in time and in processor time, after a warm-up round', async () => {
  const time = fakeTime()
  const watching = {
    takes: (viewers: number) => (viewers === 1 ? 100 : 3),
    cpu: (viewers: number) => (viewers === 1 ? 40 : 60),
  }
  const { ours, happened, open } = watchedTarget(time, watching)
  expect(await measureViewers(ours, 10, 2)).toMatchObject([
    { what: '50 viewers against one, time', result: '1.50 × / 1.50 × / 1.50 ×', holds: true },
    { what: '50 viewers against one, processor', result: '1.50 × / 1.50 × / 1.50 ×', holds: true },
  ])
  expect(happened).toMatchObject({ attached: 3 * 51, open: 0 })
  expect(open()).toBe(0)
})

test('PF-4 where the system gives no processor time there is no row of it', async () => {
  const { ours } = watchedTarget(fakeTime(), { takes: () => 1 })
  expect((await measureViewers(ours, 10, 1)).map(({ what }) => what)).toEqual([
    '50 viewers against one, time',
  ])
})

test('PF-4 a viewer that lost text fails the benchmark', async () => {
  const { ours } = watchedTarget(fakeTime(), { takes: () => 1, deliver: (words) => words.slice(1) })
  await expect(measureViewers(ours, 10, 1)).rejects.toThrow('A viewer lost text')
})

const MESSAGES = 20

/** A server with one long session whose answers and durations a test sets. */
async function historyTarget(time: FakeTime, answers: Partial<Record<string, unknown>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-acts-'))
  const database = join(folder, 'library.db')
  await seedLibrary(database, { sessions: 0, messagesPerSession: 0, longMessages: MESSAGES })
  const imported: string[] = []
  const rows = [
    '{"type":"session","data":{}}',
    ...Array.from({ length: MESSAGES }, () => '{"type":"message","data":{}}'),
  ]
  const http = createServer(async (request, response) => {
    time.now += request.method === 'POST' ? 30 : 20
    if (request.method === 'POST') imported.push(await text(request))
    response.statusCode = Number(answers['import'] ?? 200)
    response.end(request.method === 'POST' ? '{}' : String(answers['export'] ?? rows.join('\n')))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.close()
    http.closeAllConnections()
    await rm(folder, { recursive: true })
  })
  const counts: Record<string, number> = {}
  const act = (name: string, ms: number, answer: unknown) => ({
    mutate() {
      counts[name] = (counts[name] ?? 0) + 1
      // The first call of each is the warm-up.
      time.now += counts[name] === 1 ? 900 : ms
      return Promise.resolve(answers[name] ?? answer)
    },
  })
  const session = {
    branch: act('branch', 50, { parentId: LONG_SESSION }),
    rewind: act('rewind', 7, { hidden: MESSAGES - 1 }),
    unrewind: act('unrewind', 5, { restored: MESSAGES - 1 }),
    compact: act('compact', 70, { hidden: MESSAGES - 4 }),
    uncompact: act('uncompact', 1, {}),
  }
  const address = http.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const target = {
    server: { url: `http://127.0.0.1:${port}`, rss: () => null },
    connect: () => ({ session, [Symbol.asyncDispose]: () => Promise.resolve() }),
  }
  return { ours: target as unknown as OurTarget, database, counts, imported }
}

test('PF-6 each operation on a long session is timed alone, without its first round, also where no memory is known', async () => {
  const time = fakeTime()
  const { ours, database, counts, imported } = await historyTarget(time)
  const rows = await measureHistory(ours, { database, messages: MESSAGES, rounds: 2 })
  expect(rows.map((row) => [row.what, row.ours])).toEqual([
    ['branch of 20 messages', '50.0 ms'],
    ['rewind to the first of 20 messages', '7.00 ms'],
    ['un-rewind of 20 messages', '5.00 ms'],
    ['export of 20 messages', '20.0 ms'],
    // An import returns what was exported.
    ['import of 20 messages', '50.0 ms'],
    ['compaction of 20 messages', '70.0 ms'],
  ])
  expect(counts).toEqual({ branch: 3, rewind: 3, unrewind: 3, compact: 3, uncompact: 3 })
  expect(imported.map((body) => body.split('\n').length)).toEqual([21, 21, 21])
  for (const { holds, goal } of rows) expect([holds, goal]).toEqual([null, ''])
})

test.each([
  ['branch', { parentId: 'another' }, 'The branch has another parent'],
  ['rewind', { hidden: 3 }, 'The rewind hid 3 messages'],
  ['unrewind', { restored: 0 }, 'The un-rewind brought 0 messages back'],
  ['export', '{"type":"session"}\n{"type":"message","data":{}}', 'The export held 1 messages'],
  ['import', 413, 'The import was refused'],
  ['compact', { hidden: 2 }, 'The compaction hid 2 messages'],
])('PF-6 a wrong answer to %s fails the benchmark', async (name, answer, why) => {
  const { ours, database } = await historyTarget(fakeTime(), { [name]: answer })
  const measuring = measureHistory(ours, { database, messages: MESSAGES, rounds: 1 })
  await expect(measuring).rejects.toThrow(why)
})

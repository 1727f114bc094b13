import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test, vi } from 'vitest'
import { ATTACKS } from './attacks/attacks.ts'
import { runBenchmarks } from './benchmarks.ts'
import { FULL, QUICK } from './profile.ts'
import type { Row } from './table.ts'
import { BUSY_ACTS } from './targets/busy-target.ts'

// All of them start processes, and the machine may be busy: nothing here judges how fast it is.
vi.setConfig({ hookTimeout: 300_000 })

let rows: Row[] = []
beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue()
  rows = await runBenchmarks(QUICK, { former: REPOSITORY })
  vi.restoreAllMocks()
})

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

const rowsOf = (wanted: string) => rows.filter(({ rule }) => rule === wanted)

test('PF-1 the first delta is measured on both targets, and the difference is printed', () => {
  const found = rowsOf('PF-1')
  expect(found.map(({ what }) => what)).toEqual(['first delta, median', 'first delta, p99'])
  for (const { bare, ours, result } of found) {
    expect([bare, ours]).toEqual([expect.stringMatching(/^\d.* ms$/), expect.stringMatching(/^\d.* ms$/)])
    expect(result).toMatch(/^[+-] \d/)
  }
})

test('PF-2 a burst arrives whole on both targets, and the rates are compared', () => {
  const [row] = rowsOf('PF-2')
  expect(row?.result).toMatch(/^\d.* ×$/)
})

test('PF-3 concurrent sessions lose no delta on either target', () => {
  const found = rowsOf('PF-3')
  expect(found.find(({ what }) => what.endsWith('deltas lost'))).toMatchObject({ bare: '0', ours: '0' })
})

test('PF-4 viewers that attach late get the whole text, and some never read', () => {
  const found = rowsOf('PF-4')
  expect(found.map(({ what }) => what)).toEqual([
    'attach to 500 deltas',
    '50 viewers against one, time',
    '50 viewers against one, processor',
    '10 viewers of a steady run over ws, processor against one',
    '10 viewers of a steady run over ws, attach p95',
    '10 viewers of a steady run over ws, last end after the first',
    '10 viewers of a steady run over sse, processor against one',
    '10 viewers of a steady run over sse, attach p95',
    '10 viewers of a steady run over sse, last end after the first',
    '2 silent viewers of 1 MB over sse, memory',
    '2 silent viewers of 1 MB over ws, memory',
  ])
  for (const { result } of found) expect(result).not.toMatch(/NaN/)
})

test('PF-5 a seeded library answers the page’s queries', () => {
  const found = rowsOf('PF-5')
  expect(found).toHaveLength(6)
  for (const { ours } of found) expect(ours).toMatch(/^\d.* ms p95$/)
})

test('PF-6 a long session is branched, rewound, exported, imported and compacted, and time and memory are printed', () => {
  const found = rowsOf('PF-6')
  expect(found.map(({ what }) => what)).toEqual([
    'branch of 100 messages',
    'branch of 100 messages, memory',
    'rewind to the first of 100 messages',
    'un-rewind of 100 messages',
    'export of 100 messages',
    'export of 100 messages, memory',
    'import of 100 messages',
    'import of 100 messages, memory',
    'compaction of 100 messages',
    'compaction of 100 messages, memory',
  ])
  for (const { result } of found) expect(result).not.toMatch(/NaN/)
})

test('PF-7 a server is started on an existing database, measured idle, and measured after runs', () => {
  const found = rowsOf('PF-7')
  expect(found.map(({ what }) => what.replace(/\d+ MB/, 'n MB'))).toEqual([
    'start to first answer, database of n MB',
    'processor time of a start, database of n MB',
    'private memory at rest, database of n MB',
    'memory at rest, database of n MB',
    'memory after 20 runs',
  ])
  for (const { former } of found.slice(0, 4)) expect(former).toMatch(/^\d.* (ms|MB), \d.* ×$/)
  for (const { ours, result } of found) expect(ours + result).not.toMatch(/NaN|Infinity/)
})

test('PF-10 a third-party program gets its first delta and a quick reply over plain HTTP on both targets', () => {
  const found = rowsOf('PF-10')
  expect(found.map(({ what }) => what)).toEqual([
    'create, send, first delta, median of 5',
    'create, send, first delta, 0 s apart, median of 2',
    'delay of a delta every 5 ms, median',
    'delay of a delta every 5 ms, p99',
  ])
  for (const { bare, former, ours } of found) {
    expect(bare + ours).toMatch(/^\d.* ms\d.* ms$/)
    expect(former).toMatch(/^\d.* ms, \d.* ×$/)
  }
})

test('PF-11 concurrent sessions over plain HTTP are compared by time, processor and memory', () => {
  const found = rowsOf('PF-11')
  expect(found.map(({ what }) => what)).toEqual([
    '500 deltas at once by HTTP',
    '5 sessions at once by HTTP, first delta',
    '5 sessions at once by HTTP, wall',
    '5 sessions at once by HTTP, processor time',
    '5 sessions at once by HTTP, memory after 1 rounds',
  ])
  for (const { result } of found) expect(result).not.toMatch(/NaN/)
})

test('SY-7 the system prompt and the tools of a first request are weighed in each mode and without a workspace', () => {
  const found = rowsOf('SY-7')
  expect(found.map(({ what }) => what.replace('system prompt and tools, ', ''))).toEqual([
    'mode ask',
    'mode accept-edits',
    'mode plan',
    'mode full-access',
    'without a workspace',
  ])
  for (const { what, holds } of found) expect(holds, what).toBe(true)
})

test('TO-7 a step with tool calls is compared with the bare SDK, reads with reading, grep with ripgrep', () => {
  const found = [...rowsOf('TO-7'), ...rowsOf('PE-1')]
  expect(found.map(({ what }) => what)).toEqual([
    'step with one tool that does nothing',
    '100 read calls alone, against reading the files one after another',
    'step with 100 reads',
    '100 reads in one step, above 100 calls that do nothing',
    'grep of 20 files, above a call that does nothing',
    '1000 rules evaluated',
  ])
  for (const { ours, result } of found) expect(ours + result).not.toMatch(/NaN/)
})

test('SX-10 the server answers on after each attack of a provider and through long work, and its longest blocked loop is printed', () => {
  const found = rowsOf('SX-10')
  expect(found).toHaveLength(ATTACKS.length + 1 + BUSY_ACTS.length)
  for (const { ours } of found) expect(ours).toMatch(/^\d.* ms$/)
  for (const { result } of found.slice(0, ATTACKS.length + 1))
    expect(result).toMatch(/^(finish|The |HTTP 400)/)
})

test('PF-9 an unknown rule is refused, with the list of the known ones', async () => {
  await expect(runBenchmarks(QUICK, { only: ['PF-1', 'PF-99'] })).rejects.toThrow(
    'Nothing measures PF-99. There are PF-1, PF-2, PF-3, PF-4, PF-5, PF-6, PF-7, PF-10, PF-11, PF-12, SY-7, TO-7, SX-10.',
  )
})

test('PF-12 the cost of a short turn is counted on both checkouts, and compared', () => {
  const found = rowsOf('PF-12')
  expect(found.map(({ what }) => what)).toEqual([
    'processor time of a chat of 20 deltas',
    'its transactions',
    'its statements',
    'programs that it starts',
    'its calls of files',
    'bytes to the provider: system prompt and tools',
    'modules loaded after the first chat',
    'private memory at rest, without pages',
    'memory at rest, without pages',
  ])
  const figure = (what: string) => Number.parseFloat(found.find((row) => row.what.includes(what))?.ours ?? '')
  expect(figure('transactions')).toBeGreaterThanOrEqual(4)
  expect(figure('statements')).toBeGreaterThan(20)
  expect(figure('bytes')).toBeGreaterThan(500)
  expect(figure('modules')).toBeGreaterThan(5)
  for (const { former, ours } of found) expect(`${former} ${ours}`).toMatch(/^\d.* \d/)
})

test('PF-9 every benchmark with a size has three, each ten times the one before', () => {
  const risesTenfold = (sizes: number[]) =>
    sizes.slice(1).every((size, index) => size === 10 * (sizes[index] ?? 0))
  expect(risesTenfold(FULL.burst.map(({ deltas }) => deltas))).toBe(true)
  expect(risesTenfold(FULL.attach.map(({ deltas }) => deltas))).toBe(true)
  expect(risesTenfold(FULL.library.sizes.map(({ sessions }) => sessions))).toBe(true)
  expect(risesTenfold(FULL.history.map(({ messages }) => messages))).toBe(true)
  expect(risesTenfold(FULL.tools.grep.map(({ files }) => files))).toBe(true)
  expect(risesTenfold(FULL.start.map(({ messages }) => messages))).toBe(true)
})

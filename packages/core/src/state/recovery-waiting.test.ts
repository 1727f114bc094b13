import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { openSubagentLab, type Plans, runs, task } from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import type { Store } from '../ports/index.ts'

const PLANS: Plans = {
  Go: [{ toolCalls: [runs('ls')] }, { text: 'Done' }],
  Broken: [{ toolCalls: [runs('ls')] }, { text: 'Done' }],
  Works: [{ toolCalls: [task('Stall')] }, { text: 'Done' }],
  Other: [{ toolCalls: [task('Stall')] }, { text: 'Done' }],
  Stall: [{ text: 'Hm', ending: 'stall' }],
}
const BROKEN = () => Promise.reject(new Error('The row cannot be read.'))

test('RV-2 RU-9 a run that waits and cannot be read stops neither the start nor the runs that wait beside it', async () => {
  const tables = createMemoryTables()
  await using first = await openSubagentLab(PLANS, tables)
  const { sessionId: broken, runId } = await first.say('Broken')
  const { sessionId } = await first.say('Go')
  for (const id of [broken, sessionId])
    await expect.poll(() => first.sessions.status(id)).toMatchObject({ state: 'waiting' })

  const memory = createMemoryStore(tables)
  let damaged = true
  const unless = <T>(id: string, read: (id: string) => Promise<T>): Promise<T> =>
    damaged && (id === runId || id === broken) ? BROKEN() : read(id)
  const store: Store = {
    ...memory,
    sessions: { ...memory.sessions, get: (id) => unless(id, memory.sessions.get) },
    asks: { ...memory.asks, ofRun: (id) => unless(id, memory.asks.ofRun) },
    runs: { ...memory.runs, log: (id) => unless(id, memory.runs.log) },
  }
  await using lab = await openSubagentLab(PLANS, tables, [], { store })
  await lab.core.recover()
  damaged = false
  expect(await lab.sessions.status(broken)).toMatchObject({ state: 'waiting' })
  const [ask] = await lab.sessions.permissions.pending(sessionId)
  const settled = lab.event((event) => event.type === 'message-settled')
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await settled
  expect(lab.made).toEqual(['ls'])
  expect(await lab.sessions.abort(broken)).toEqual({ aborted: true })
})

test('SA-3 RV-2 a run whose subagent was lost and that cannot be settled leaves the others to be settled', async () => {
  const tables = createMemoryTables()
  const memory = createMemoryStore(tables)
  const killed = await openSubagentLab(PLANS, tables)
  const ids: string[] = []
  for (const text of ['Works', 'Other']) {
    const { sessionId } = await killed.say(text)
    ids.push(sessionId)
  }
  await expect.poll(async () => (await memory.asks.open(null)).length).toBe(2)
  await expect.poll(async () => (await memory.runs.waiting()).length).toBe(2)
  const [first] = await memory.asks.open(null)

  const reply: typeof memory.asks.reply = (id, ...rest) =>
    id === first?.id ? BROKEN() : memory.asks.reply(id, ...rest)
  const store = { ...createMemoryStore(tables), asks: { ...memory.asks, reply } }
  await using lab = await openSubagentLab(PLANS, tables, [], { store })
  await lab.core.recover()
  const left = await memory.asks.open(null)
  expect(left.map(({ id }) => id)).toEqual([first?.id])
  const other = ids.find((id) => id !== first?.sessionId) ?? ''
  const { items } = await lab.sessions.messages({ sessionId: other })
  expect(items.at(-1)?.metadata?.finishReason).toBe('interrupted')
  await killed[Symbol.asyncDispose]()
})

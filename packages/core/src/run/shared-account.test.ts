import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import {
  childrenOf,
  newestOf,
  openSubagentLab,
  type Plans,
  runs,
  task,
} from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'

const looks = (...names: string[]) => ({
  toolCalls: names.map((name) => ({ ...runs('look'), id: `look_${name}` })),
})
const callsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`)
const idle = { state: 'idle' }

test('BU-2 SA-1 parallel subagents, those in the background and the next run of their parent make as many calls as the limit, and no more', async () => {
  const plans: Plans = {
    Go: [{ toolCalls: [task('Back', { background: true }), task('One'), task('Two')] }, { text: 'Done' }],
    Back: [looks(...callsOf(3, 'b')), looks(...callsOf(3, 'c')), { text: 'Done' }],
    One: [looks(...callsOf(3, 'd')), { text: 'Done' }],
    Two: [looks(...callsOf(3, 'e')), { text: 'Done' }],
    More: [looks(...callsOf(6, 'f')), { text: 'Done' }],
  }
  await using lab = await openSubagentLab(
    plans,
    undefined,
    [],
    {},
    { budget: { session: { max_tool_calls: 8 } } },
  )
  const { sessionId } = await lab.turn('Go')
  await lab.say('More', sessionId).catch(() => undefined)
  await expect.poll(() => lab.core.activeRuns).toBe(0)
  const starts = 3
  expect(lab.made.length + starts).toBe(8)
  expect(await lab.sessions.budget.get(sessionId)).toMatchObject({
    spent: { toolCalls: 8 },
    reached: { scope: 'session', limit: 'max_tool_calls', used: 8 },
  })
})

test('SA-2 of more calls than subagents may work at once, so many are started and the others are errors', async () => {
  const names = callsOf(LIMITS.subagents + 12, 'Work')
  const plans: Plans = {
    Go: [{ toolCalls: names.map((name) => task(name)) }, { text: 'Done' }],
    ...Object.fromEntries(names.map((name) => [name, [{ toolCalls: [runs('ls')] }, { text: 'Done' }]])),
  }
  await using lab = await openSubagentLab(plans)
  const { sessionId } = await lab.say('Go')
  await expect.poll(() => lab.sessions.permissions.pending(sessionId)).toHaveLength(LIMITS.subagents)
  expect(await childrenOf(lab.sessions, sessionId)).toHaveLength(LIMITS.subagents)
  await lab.sessions.abort(sessionId)
  const { calls } = await newestOf(lab.sessions, sessionId)
  const refused = calls.filter((call) => JSON.stringify(call).includes('subagents work already'))
  expect(refused).toHaveLength(12)
  // Their places are free again.
  expect(lab.core.activeRuns).toBe(0)
})

test('BU-2 a subagent in the background that waits over a restart goes on with what its parent’s run had spent', async () => {
  const spends = { prompt_tokens: 90, completion_tokens: 10 }
  const plans: Plans = {
    Go: [
      { toolCalls: [task('Back', { background: true })], usage: spends },
      { text: 'Done', usage: spends },
    ],
    Back: [
      { toolCalls: [runs('ls')], usage: spends },
      { toolCalls: [runs('look')], usage: spends },
      { text: 'Done', usage: spends },
    ],
  }
  const tables = createMemoryTables()
  const settings = { budget: { run: { max_tokens: 400 }, session: { max_tokens: 9_000 } } }
  await using killed = await openSubagentLab(plans, tables)
  const { id: sessionId } = await killed.sessions.create({ title: 'Named' })
  await killed.turn('Go', sessionId)
  await expect.poll(() => killed.sessions.permissions.pending(sessionId)).toHaveLength(1)

  await using lab = await openSubagentLab(plans, tables, killed.made, {}, settings)
  await lab.core.recover()
  const [ask] = await lab.sessions.permissions.pending(sessionId)
  const landed = lab.event((event) => event.type === 'message-added')
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await landed
  const [child] = await childrenOf(lab.sessions, sessionId)
  // 200 of the parent, then 100 and 100 of its own: the call of the second is not made.
  const { message } = await newestOf(lab.sessions, child?.id ?? '')
  expect(message?.metadata).toMatchObject({ finishReason: 'budget', budget: { scope: 'run', used: 400 } })
  expect((await lab.sessions.budget.get(sessionId)).spent).toMatchObject({ tokens: 400, toolCalls: 2 })
})

test('BU-2 spending that a write of a run could not store is stored with its next write', async () => {
  const memory = createMemoryStore()
  let failures = 0
  const store = {
    ...memory,
    budgets: {
      ...memory.budgets,
      add: async (spent: Parameters<typeof memory.budgets.add>[0]) => {
        if (failures++ === 0) throw new Error('The disk is full.')
        await memory.budgets.add(spent)
      },
    },
  }
  const plans: Plans = { Go: [looks('a', 'b'), { text: 'Done' }], More: [looks('c'), { text: 'Done' }] }
  await using lab = await openSubagentLab(
    plans,
    undefined,
    [],
    { store },
    { budget: { session: { max_tool_calls: 4 } } },
  )
  const { sessionId } = await lab.turn('Go')
  await lab.turn('More', sessionId)
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual(idle)
  expect((await memory.budgets.get(sessionId)).spent.toolCalls).toBe(3)
})

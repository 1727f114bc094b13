import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { type ReplyScript, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import type { BudgetLimits, SessionBudget } from '../domain/model/budget.ts'
import type { SessionEvent } from '../domain/session/event.ts'
import type { CorePorts } from '../history/core-ports.ts'
import { defineTool } from '../tool/tool.ts'

const PRICES = { input: 1_000_000, output: 2_000_000, cacheRead: null, cacheWrite: null }

/** A reply of 10 tokens that costs 11 US dollars. */
const usage = { prompt_tokens: 9, completion_tokens: 1 }
const answer = (script: ReplyScript = {}) => reply({ text: 'Done', usage, ...script })
const calling = (...names: string[]) =>
  answer({
    text: '',
    toolCalls: names.map((name, index) => ({ name, input: { index }, id: `${name}${index}` })),
  })

type Options = { budget?: BudgetLimits; agentBudget?: BudgetLimits; ports?: Partial<CorePorts> }

/** A lab whose agent has a tool that looks and one that a person is asked about; `made` holds their calls. */
async function openLab({ budget = {}, agentBudget, ports }: Options = {}) {
  const made: string[] = []
  const tool = (id: string, permission: 'read' | 'command') =>
    defineTool({
      id,
      description: id,
      input: z.object({ index: z.number() }),
      requires: () => [{ permission, pattern: 'x' }],
      execute: ({ index }) => {
        made.push(`${id}${index}`)
        return Promise.resolve({ text: 'Seen' })
      },
    })
  const agent = {
    tools: [tool('look', 'read'), tool('run', 'command')],
    ...(agentBudget && { budget: agentBudget }),
  }
  const lab = await openCoreLab(ports, { agent, budget }, { prices: PRICES })
  const { id } = await lab.sessions.create({ title: 'Named' })
  return { lab, id, made }
}

const lastReply = async (lab: CoreLab, sessionId: string) =>
  (await lab.sessions.messages({ sessionId })).items.findLast(({ role }) => role === 'assistant')
const spentOf = async (lab: CoreLab, id: string): Promise<SessionBudget['spent']> =>
  (await lab.sessions.budget.get(id)).spent
const waits = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })

test.for([
  { limit: 'max_tokens', max: 20, used: 20, calls: 1 },
  { limit: 'max_cost', max: 15, used: 22, calls: 1 },
  { limit: 'max_tool_calls', max: 2, used: 2, calls: 2 },
] as const)(
  'BU-1 a run ends between two steps at $limit, and its reply says which limit and how much',
  async (row) => {
    const { limit, max, used, calls } = row
    const { lab: opened, id, made } = await openLab({ budget: { run: { [limit]: max } } })
    await using lab = opened
    lab.provider.script(calling('look'), calling('look'))
    const { messages, chunks } = await lab.turn('Go', id)
    expect(messages[1]?.metadata).toMatchObject({
      finishReason: 'budget',
      budget: { scope: 'run', limit, max, used },
    })
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
    expect([lab.steps.length, made.length]).toEqual([2, calls])
    // The next run has a budget of its own.
    lab.provider.script(answer())
    await lab.sessions.continue(id)
    await expect.poll(async () => (await lastReply(lab, id))?.metadata?.finishReason).toBe('stop')
  },
)

test('BU-1 the calls of a step beyond the limit are not made, and their results say so', async () => {
  const { lab: opened, id, made } = await openLab({ budget: { run: { max_tool_calls: 2 } } })
  await using lab = opened
  lab.provider.script(calling('look', 'look', 'look', 'run'))
  const { messages } = await lab.turn('Go', id)
  expect(made).toEqual(['look0', 'look1'])
  const calls = messages[1]?.parts.filter(isToolPart) ?? []
  expect(calls.map(({ state }) => state)).toEqual([
    'output-available',
    'output-available',
    'output-error',
    'output-error',
  ])
  expect(calls[2]).toMatchObject({
    errorText: 'The budget of this run is spent: 2 of 2 tool calls. This call was not made.',
  })
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'budget', budget: { used: 2 } })
  expect(lab.steps).toHaveLength(1)
})

test('BU-1 a reply that is complete ends well, also when it spends the last of a budget', async () => {
  const { lab: opened, id } = await openLab({ budget: { session: { max_tokens: 10 } } })
  await using lab = opened
  lab.provider.script(answer())
  expect((await lab.turn('Go', id)).messages[1]?.metadata).toMatchObject({ finishReason: 'stop' })
})

test('BU-1 a session whose budget is spent takes no message, reply, continuation or summary, and asks no model', async () => {
  const { lab: opened, id } = await openLab({ budget: { session: { max_tokens: 20 } } })
  await using lab = opened
  lab.provider.script(calling('look'), calling('look'))
  const { messages } = await lab.turn('Go', id)
  const denied = { code: 'BUDGET_EXHAUSTED', field: 'session.max_tokens' }
  expect(await lab.sessions.budget.get(id)).toMatchObject({
    limits: { run: {}, session: { max_tokens: 20 } },
    own: {},
    spent: { tokens: 20, costUsd: 22, toolCalls: 1 },
    reached: { scope: 'session', limit: 'max_tokens', max: 20, used: 20 },
  })
  await expect(lab.say('More', id)).rejects.toMatchObject({
    ...denied,
    message: 'The budget of this session is spent: 20 of 20 tokens. Raise it to go on.',
  })
  await expect(lab.sessions.continue(id)).rejects.toMatchObject(denied)
  await expect(lab.sessions.history.compact(id)).rejects.toMatchObject(denied)
  const messageId = messages[0]?.id ?? ''
  await expect(lab.sessions.resend({ sessionId: id, messageId })).rejects.toMatchObject(denied)
  expect((await lab.sessions.messages({ sessionId: id })).items).toEqual(messages)
  expect(lab.provider.requests).toHaveLength(2)
})

test('BU-1 neither a rewind, a branch nor a restart gives anything back', async () => {
  const tables = createMemoryTables()
  const first = await openLab({
    budget: { session: { max_tokens: 10 } },
    ports: { store: createMemoryStore(tables) },
  })
  const { id } = first
  {
    await using lab = first.lab
    lab.provider.script(answer())
    const { messages } = await lab.turn('Go', id)
    await lab.sessions.history.rewind({ sessionId: id, messageId: messages[0]?.id ?? '' })
  }
  const second = await openLab({
    budget: { session: { max_tokens: 10 } },
    ports: { store: createMemoryStore(tables) },
  })
  await using lab = second.lab
  await expect(lab.say('Again', id)).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' })
  expect((await spentOf(lab, id)).tokens).toBe(10)
})

test('BU-1 the limits of a session go before those of its agent, and these before the configuration, one by one', async () => {
  const { lab: opened, id } = await openLab({
    budget: { run: { max_tokens: 1, max_cost: 2 }, session: { max_duration: 9 } },
    agentBudget: { run: { max_tokens: 3 } },
  })
  await using lab = opened
  const own = { run: { max_cost: null }, session: { max_tool_calls: 5 } }
  const budget = await lab.sessions.budget.set(id, own)
  expect(budget).toMatchObject({
    own,
    limits: {
      run: { max_tokens: 3, max_cost: null },
      session: { max_duration: 9, max_tool_calls: 5 },
    },
  })
  expect((await lab.sessions.budget.set(id, {})).limits.run).toEqual({ max_tokens: 3, max_cost: 2 })
})

test('BU-1 a queue waits while the budget is spent, and continues when a person raises it', async () => {
  const { lab: opened, id } = await openLab({ budget: { session: { max_tokens: 10 } } })
  await using lab = opened
  const gate = Promise.withResolvers<void>()
  lab.provider.script(answer({ text: ['a', 'b'], hold: { before: 1, until: gate.promise } }), answer())
  const { runId } = await lab.say('One', id)
  const queued = await lab.sessions.send({
    sessionId: id,
    message: { parts: [{ type: 'text', text: 'Two' }] },
  })
  expect(queued.queued).toBe(true)
  gate.resolve()
  await lab.chunksOf(id, runId)
  await expect.poll(() => lab.sessions.status(id)).toEqual({ state: 'idle' })
  expect(await lab.sessions.queue.list(id)).toHaveLength(1)
  const ended = lab.event((event) => event.type === 'message-settled')
  await lab.sessions.budget.set(id, { session: { max_tokens: 100 } })
  await ended
  expect(await lab.sessions.queue.list(id)).toEqual([])
  expect((await spentOf(lab, id)).tokens).toBe(20)
})

test('BU-1 a person is warned once when 80 percent of a limit is used', async () => {
  const { lab: opened, id } = await openLab({ budget: { session: { max_tokens: 50 } } })
  await using lab = opened
  const near: SessionEvent[] = []
  lab.ports.events.subscribe(id, (event) => {
    if (event.type === 'budget-near') near.push(event)
  })
  lab.provider.script(calling('look'), calling('look'), calling('look'), answer(), answer())
  await lab.turn('Go', id)
  await lab.turn('More', id)
  const use = { scope: 'session', limit: 'max_tokens', max: 50, used: 40 }
  expect(near).toEqual([{ type: 'budget-near', sessionId: id, use }])
})

test('BU-1 a run that waited goes on with what it had spent, and nobody is asked once the budget is spent', async () => {
  const tables = createMemoryTables()
  const first = await openLab({ ports: { store: createMemoryStore(tables) } })
  const { id } = first
  {
    await using lab = first.lab
    lab.provider.script(calling('look'), calling('run'))
    await lab.say('Go', id)
    await waits(lab, id)
    expect(await spentOf(lab, id)).toMatchObject({ tokens: 20, costUsd: 22, toolCalls: 1 })
  }
  const { lab: opened, made } = await openLab({
    budget: { run: { max_tool_calls: 2 } },
    ports: { store: createMemoryStore(tables) },
  })
  await using lab = opened
  await lab.core.recover()
  const [ask] = await lab.sessions.permissions.pending(id)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await expect.poll(async () => (await lastReply(lab, id))?.metadata?.finishReason).toBe('budget')
  expect(made).toEqual(['run0'])
  expect((await lastReply(lab, id))?.metadata?.budget).toMatchObject({ limit: 'max_tool_calls', used: 2 })
  lab.provider.script(calling('look', 'look', 'run'))
  const { messages } = await lab.turn('More', id)
  expect(messages.at(-1)?.metadata?.finishReason).toBe('budget')
  expect(await lab.sessions.permissions.pending(id)).toEqual([])
  expect((await spentOf(lab, id)).toolCalls).toBe(4)
})

test('BU-1 titles draw from the budget of their session, and none is written once it is spent', async () => {
  const { lab: opened } = await openLab()
  await using lab = opened
  lab.provider.script(answer(), answer())
  const named = lab.event((event) => event.type === 'title')
  const { sessionId } = await lab.turn('First words')
  await named
  await expect.poll(async () => (await spentOf(lab, sessionId)).tokens).toBeGreaterThan(10)
  const spare = await lab.sessions.create({})
  await lab.sessions.budget.set(spare.id, { session: { max_tokens: 10 } })
  const requests = lab.provider.requests.length
  await lab.turn('Other words', spare.id)
  await lab.core.shutdown(0)
  expect(lab.provider.requests.length - requests).toBe(1)
})

test('BU-1 tokens that a provider does not count are estimated', async () => {
  const { lab: opened, id } = await openLab()
  await using lab = opened
  lab.provider.script(answer({ usage: null }))
  await lab.turn('Go', id)
  expect((await spentOf(lab, id)).tokens).toBeGreaterThan(20)
})

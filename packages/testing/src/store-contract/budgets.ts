import { NOTHING_SPENT } from '@palimpsest/core/domain'
import type { SessionSpending, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  branchOf,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  removeSession,
  replyWrite,
  userMessage,
} from './fixtures.ts'

const spending = (sessionId: string, over: Partial<SessionSpending> = {}): SessionSpending => ({
  sessionId,
  ...NOTHING_SPENT,
  ...over,
})

/** A run that commits one step of 30 tokens and ends. */
async function spendInRun(store: Store, sessionId: string, spent: SessionSpending[]): Promise<void> {
  const run = lease(sessionId, 1)
  await store.runs.begin(run, asks(userMessage(sessionId, `m_${sessionId}`, 'Go')))
  const write = replyWrite(run, `r_${sessionId}`, [{ type: 'text', text: 'Done' }])
  const usage = { input: 10, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const window = { contextTokens: 30, contextEstimated: false }
  await store.runs.commitStep({ ...write, ...window, usage, model: MODEL, systemPrompt: null, spent })
  await store.runs.end(run, { ...write, spent: [spending(sessionId, { durationMs: 5.5 })] }, 4_000)
}

export function budgetContract(openFixture: OpenFixture): void {
  test('BU-1 what a session spends is stored with the write of its run, and outlives the host', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.create(newSession('b'))
    expect(await store.budgets.get('a')).toEqual({ limits: {}, spent: NOTHING_SPENT })
    const ofStep = { tokens: 30, costUsd: 0.25, toolCalls: 2, durationMs: 100 }
    await spendInRun(store, 'a', [spending('a', ofStep), spending('b', { tokens: 30 })])
    await store.budgets.add([spending('a', { tokens: 7 })])
    const after = await fixture.restart()
    const spent = { tokens: 37, costUsd: 0.25, toolCalls: 2, durationMs: 105.5 }
    expect(await after.budgets.get('a')).toEqual({ limits: {}, spent })
    expect((await after.budgets.get('b')).spent).toEqual({ ...NOTHING_SPENT, tokens: 30 })
  })

  test('BU-1 a write of a run that has lost its session spends nothing', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm', 'Go')))
    const write = replyWrite({ ...run, epoch: run.epoch + 1 }, 'r', [{ type: 'text', text: 'Late' }])
    const late = store.runs.record({ ...write, spent: [spending('a', { tokens: 9 })] })
    await expect(late).rejects.toMatchObject({ code: 'SESSION_NOT_RUNNING' })
    expect((await store.budgets.get('a')).spent).toEqual(NOTHING_SPENT)
  })

  test('BU-1 a session from before budgets begins with the tokens of its messages', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await spendInRun(store, 'a', [])
    const before = (await store.budgets.get('a')).spent.tokens
    await store.budgets.add([spending('a', { tokens: 5 })])
    expect((await store.budgets.get('a')).spent.tokens).toBe(before + 5)
  })

  test('BU-1 limits of a session are stored beside what it has spent', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const limits = { run: { max_tokens: 100, max_cost: null }, session: { max_duration: 60_000 } }
    expect(await store.budgets.setLimits('a', limits)).toEqual({ limits, spent: NOTHING_SPENT })
    await store.budgets.add([spending('a', { toolCalls: 1 })])
    const after = await fixture.restart()
    expect(await after.budgets.get('a')).toEqual({ limits, spent: { ...NOTHING_SPENT, toolCalls: 1 } })
    expect((await after.budgets.setLimits('a', {})).limits).toEqual({})
  })

  test('BU-1 a branch begins with the limits and the spending of its parent, and then spends its own', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await spendInRun(store, 'a', [spending('a', { tokens: 30, toolCalls: 3 })])
    await store.budgets.setLimits('a', { session: { max_tokens: 50 } })
    await store.history.branch(branchOf('a', 'b', [1]))
    const parent = await store.budgets.get('a')
    expect(await store.budgets.get('b')).toEqual(parent)
    await store.budgets.add([spending('b', { tokens: 15 })])
    expect((await store.budgets.get('b')).spent.tokens).toBe(parent.spent.tokens + 15)
    expect(await store.budgets.get('a')).toEqual(parent)
  })

  test('BU-1 a session that is not there has no budget, and one that is purged takes its own along', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.budgets.add([spending('a', { tokens: 5 })])
    await removeSession(store, 'a')
    const missing = { code: 'SESSION_NOT_FOUND' }
    await expect(store.budgets.get('a')).rejects.toMatchObject(missing)
    await expect(store.budgets.add([spending('a')])).rejects.toMatchObject(missing)
    await expect(store.budgets.setLimits('a', {})).rejects.toMatchObject(missing)
    await store.sessions.create(newSession('a'))
    expect((await store.budgets.get('a')).spent).toEqual(NOTHING_SPENT)
  })

  test('BU-1 sums of any amounts in any order are exact', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const amounts = fc.array(fc.record({ tokens: fc.nat(1e9), toolCalls: fc.nat(1e3) }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(amounts, async (added) => {
        const { spent } = await store.budgets.get('a')
        await Promise.all(added.map((one) => store.budgets.add([spending('a', one)])))
        const after = (await store.budgets.get('a')).spent
        for (const key of ['tokens', 'toolCalls'] as const)
          expect(after[key]).toBe(added.reduce((sum, one) => sum + one[key], spent[key]))
      }),
      { numRuns: 15 },
    )
  })
}

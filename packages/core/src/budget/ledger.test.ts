import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Budget,
  type BudgetUse,
  mergeLimits,
  NOTHING_SPENT,
  type Spending,
} from '../domain/model/budget.ts'
import type { BudgetStore, SessionSpending } from '../ports/index.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createSessionAccount, type SessionAccount } from './session-account.ts'

type Opened = {
  ledger: Ledger
  account: SessionAccount
  near: BudgetUse[]
  wait(ms: number): void
  save(): Promise<SessionSpending[]>
}

/** Rows of sessions that have spent this. */
function rows(spent: Partial<Spending> = {}): BudgetStore {
  const row = { limits: {}, spent: { ...NOTHING_SPENT, ...spent } }
  return { get: async () => row, add: async () => undefined, setLimits: async () => row }
}

async function openLedger(
  { run = {}, session = {} }: { run?: Budget; session?: Budget },
  over: { parent?: Ledger; sessionId?: string; before?: Partial<Spending> } = {},
): Promise<Opened> {
  const near: BudgetUse[] = []
  let now = 1_000
  const { parent, sessionId = 'a', before } = over
  const account = createSessionAccount(sessionId, rows(before))
  await account.load()
  const ledger = createLedger({
    runId: `run_${sessionId}`,
    session: account,
    limitsOf: (own) => mergeLimits({ run, session }, own),
    parent,
    elapsed: () => now,
    onNear: (use) => near.push(use),
  })
  ledger.startTime()
  return {
    ledger,
    account,
    near,
    wait(ms) {
      now += ms
    },
    save: () => ledger.save((spent) => Promise.resolve(spent)),
  }
}

test('BU-1 a limit is reached when all of it is used, and is named with its use', async () => {
  const { ledger } = await openLedger({ run: { max_tokens: 100 }, session: { max_cost: 1 } })
  ledger.spend({ tokens: 99 })
  expect(ledger.reached()).toBeNull()
  ledger.spend({ tokens: 3, costUsd: 2 })
  expect(ledger.reached()).toEqual({ scope: 'run', limit: 'max_tokens', max: 100, used: 102 })
})

test('BU-1 what a session has spent before counts for the session, and not for the run', async () => {
  const limits = { run: { max_tokens: 100 }, session: { max_tokens: 100 } }
  const { ledger } = await openLedger(limits, { before: { tokens: 90 } })
  ledger.spend({ tokens: 10 })
  expect(ledger.reached()).toEqual({ scope: 'session', limit: 'max_tokens', max: 100, used: 100 })
  expect(ledger.spent.tokens).toBe(10)
})

test('BU-1 time is counted while the run works', async () => {
  const { ledger, wait } = await openLedger({ run: { max_duration: 5_000 } })
  wait(4_999)
  expect(ledger.reached()).toBeNull()
  wait(1)
  expect(ledger.reached()).toEqual({ scope: 'run', limit: 'max_duration', max: 5_000, used: 5_000 })
})

test('BU-1 a person is warned once for each limit, at 80 percent of it', async () => {
  const { ledger, near } = await openLedger({ run: { max_tokens: 100 }, session: { max_tool_calls: 5 } })
  ledger.spend({ tokens: 79 })
  expect(near).toEqual([])
  ledger.spend({ tokens: 1 })
  ledger.spend({ tokens: 10 })
  expect(near).toEqual([{ scope: 'run', limit: 'max_tokens', max: 100, used: 80 }])
  for (let call = 0; call < 5; call++) expect(ledger.takeCall()).toBeNull()
  expect(near.slice(1)).toEqual([{ scope: 'session', limit: 'max_tool_calls', max: 5, used: 4 }])
  expect(ledger.takeCall()).toMatchObject({ limit: 'max_tool_calls', used: 5 })
})

test('BU-1 a child run spends from its parent, which its parent sees at once, and stops at the limit of either', async () => {
  const parent = await openLedger({ run: { max_tokens: 100 } })
  const child = await openLedger({ run: { max_tokens: 60 } }, { parent: parent.ledger, sessionId: 'b' })
  const grandchild = await openLedger({}, { parent: child.ledger, sessionId: 'c' })
  parent.ledger.spend({ tokens: 50 })
  grandchild.ledger.spend({ tokens: 50, toolCalls: 2 })
  expect(child.ledger.reached()).toMatchObject({ scope: 'run', max: 100, used: 100 })
  expect(parent.ledger.reached()).toMatchObject({ max: 100, used: 100 })
  expect(parent.near).toHaveLength(1)
  expect(child.ledger.spent).toMatchObject({ tokens: 50, toolCalls: 2 })
})

test('BU-1 what a child spends is stored for its session and for those it draws from, time for its own alone', async () => {
  const parent = await openLedger({})
  const child = await openLedger({}, { parent: parent.ledger, sessionId: 'b' })
  child.wait(500)
  child.ledger.spend({ tokens: 7, costUsd: 0.5 })
  expect(await child.save()).toEqual([
    { sessionId: 'b', tokens: 7, costUsd: 0.5, toolCalls: 0, durationMs: 500 },
    { sessionId: 'a', tokens: 7, costUsd: 0.5, toolCalls: 0, durationMs: 0 },
  ])
  expect(await child.save()).toEqual([])
  expect(await parent.save()).toEqual([])
  expect(parent.ledger.spent.tokens).toBe(7)
})

test('BU-1 limits that are raised let a run go on; what it has spent stays', async () => {
  const { ledger, account } = await openLedger({ run: { max_tool_calls: 1 } })
  expect([ledger.takeCall(), ledger.takeCall()?.used]).toEqual([null, 1])
  account.setOwn({ run: { max_tool_calls: 2 } })
  expect([ledger.takeCall(), ledger.takeCall()?.used]).toEqual([null, 2])
})

const amount = fc.record({
  tokens: fc.oneof(fc.nat(200), fc.constant(-5), fc.constant(Number.NaN)),
  costUsd: fc.double({ min: -1, max: 2, noNaN: false }),
})
const step = fc.oneof(
  fc.record({ type: fc.constant('spend' as const), amount }),
  fc.record({ type: fc.constant('call' as const) }),
  fc.record({ type: fc.constant('wait' as const), ms: fc.nat(400) }),
  fc.record({ type: fc.constant('save' as const) }),
)
const budget = fc.record(
  { max_tokens: fc.integer({ min: 1, max: 500 }), max_tool_calls: fc.integer({ min: 1, max: 6 }) },
  { requiredKeys: [] },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Takes one step; returns whether a call was made. */
async function take({ ledger, wait }: Opened, each: Step, save: (ledger: Ledger) => Promise<void>) {
  switch (each.type) {
    case 'spend':
      ledger.spend(each.amount)
      return false
    case 'wait':
      wait(each.ms)
      return false
    case 'save':
      await save(ledger)
      return false
    case 'call':
      return ledger.takeCall() === null
  }
}

function expectNoFall(before: Spending, now: Spending): void {
  for (const key of ['tokens', 'costUsd', 'toolCalls', 'durationMs'] as const)
    expect(now[key]).toBeGreaterThanOrEqual(before[key])
}

test('BU-1 BU-2 the sums of a ledger never fall, no call is allowed once a limit is reached, and all is stored, whichever writes fail', async () => {
  const steps = fc.array(fc.tuple(fc.boolean(), step), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(budget, budget, steps, async (run, session, taken) => {
      const parent = await openLedger({ run, session })
      const child = await openLedger({}, { parent: parent.ledger, sessionId: 'b' })
      const stored = { tokens: 0, toolCalls: 0 }
      let writes = 0
      const write = (spent: readonly SessionSpending[]) => {
        if (writes++ % 3 === 1) throw new Error('The disk is full.')
        for (const { sessionId, tokens, toolCalls } of spent) {
          if (sessionId !== 'a') continue
          stored.tokens += tokens
          stored.toolCalls += toolCalls
        }
      }
      const save = (ledger: Ledger) => ledger.save(async (spent) => write(spent)).catch(() => undefined)
      let before = parent.ledger.spent
      let closed = false
      for (const [inChild, each] of taken) {
        const made = await take(inChild ? child : parent, each, save)
        expect(made && closed).toBe(false)
        expectNoFall(before, parent.ledger.spent)
        before = parent.ledger.spent
        closed ||= parent.ledger.reached() !== null
        expect(parent.ledger.reached() !== null).toBe(closed)
      }
      await save(parent.ledger)
      await save(child.ledger)
      await save(child.ledger)
      const { tokens, toolCalls } = parent.ledger.spent
      expect(stored).toEqual({ tokens, toolCalls })
      expect(toolCalls).toBeLessThanOrEqual(run.max_tool_calls ?? Number.POSITIVE_INFINITY)
    }),
  )
})

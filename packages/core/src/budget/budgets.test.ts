import {
  COUNTED,
  createSession,
  FULL,
  INFO,
  open,
  openChild,
  openHost,
  save,
} from '@palimpsest/testing/budget-lab.ts'
import { expect, test } from 'vitest'
import { NOTHING_SPENT } from '../domain/model/budget.ts'
import type { SessionEvent } from '../domain/session/event.ts'
import type { Ledger } from './ledger.ts'

/** Makes calls until one is refused; returns how many were made. */
function makeAll(ledger: Ledger): number {
  for (let made = 0; made < 100; made++) if (ledger.takeCall() !== null) return made
  return 100
}

test('BU-2 what runs and subagents of a session spend together is limited exactly, also beside the next run', async () => {
  const host = openHost({ session: { max_tool_calls: 8 } })
  const root = await createSession(host, 'root')
  const first = await open(host, root, 'run_1')
  expect([first.takeCall(), first.takeCall()]).toEqual([null, null])
  const child = await openChild(host, await createSession(host, 'child', [root]), 'run_c', first)
  expect(child.takeCall()).toBeNull()
  await save(host, first)
  host.budgets.close('root', 'run_1', 'run_1')
  const second = await open(host, root, 'run_2')
  expect([second.takeCall(), child.takeCall(), second.takeCall(), child.takeCall()]).toEqual(
    Array(4).fill(null),
  )
  expect([makeAll(child), makeAll(second)]).toEqual([1, 0])
  expect((await host.budgets.view(root)).reached).toMatchObject({ scope: 'session', used: 8 })
})

test('BU-2 a changed limit counts at once for every run and subagent of the session', async () => {
  const host = openHost({ session: { max_tool_calls: 4 }, run: { max_tool_calls: 9 } })
  const root = await createSession(host, 'root')
  const first = await open(host, root, 'run_1')
  const child = await openChild(host, await createSession(host, 'child', [root]), 'run_c', first)
  host.budgets.close('root', 'run_1', 'run_1')
  const second = await open(host, root, 'run_2')
  expect(makeAll(child)).toBe(4)
  await host.budgets.setLimits(root, { session: { max_tool_calls: 6 } })
  expect([second.takeCall(), child.takeCall(), child.takeCall()]).toMatchObject([null, null, { used: 6 }])
  await host.budgets.setLimits(root, { session: { max_tool_calls: 100 } })
  // The child draws from the run that started it: 4 + 1 calls of 9 are made.
  expect([makeAll(child), makeAll(second)]).toEqual([4, 8])
  await host.budgets.setLimits(root, { session: { max_tool_calls: 2 }, run: { max_tool_calls: null } })
  expect([child.takeCall(), second.takeCall()]).toMatchObject([
    { max: 2, used: 9 },
    { max: 2, used: 18 },
  ])
  await host.budgets.setLimits(root, { session: { max_tool_calls: null }, run: { max_tool_calls: null } })
  expect(makeAll(child)).toBe(100)
})

test.for([
  { name: 'the configuration’s run', limits: { run: { max_tokens: 100 } }, scope: 'run' },
  { name: 'the configuration’s session', limits: { session: { max_tokens: 100 } }, scope: 'session' },
  { name: 'the agent’s run', agent: { run: { max_tokens: 100 } }, scope: 'run' },
  { name: 'the agent’s session', agent: { session: { max_tokens: 100 } }, scope: 'session' },
  { name: 'a person’s run', own: { run: { max_tokens: 100 } }, scope: 'run' },
  { name: 'a person’s session', own: { session: { max_tokens: 100 } }, scope: 'session' },
] as const)(
  'BU-1 BU-2 a limit of $name ends at it, not one below; a second run counts on by scope',
  async (row) => {
    const { limits = {}, agent, own, scope } = { limits: undefined, agent: undefined, own: undefined, ...row }
    const host = openHost(limits ?? {}, undefined, new Map([['assistant', agent ? { budget: agent } : {}]]))
    const root = await createSession(host, 'root')
    if (own !== undefined) await host.budgets.setLimits(root, own)
    const limited = agent === undefined ? {} : { budget: agent }
    const first = await open(host, root, 'run_1', { agent: limited })
    first.spend({ tokens: 99 })
    expect([first.reached(), await host.budgets.reached(root)]).toEqual([null, null])
    first.spend({ tokens: 1 })
    const use = { scope, limit: 'max_tokens', max: 100, used: 100 }
    expect([first.reached(), first.takeCall(), await host.budgets.reached(root)]).toEqual([use, use, use])
    // What a run may spend says nothing of its session.
    expect((await host.budgets.view(root)).reached).toEqual(scope === 'session' ? use : null)
    await save(host, first)
    host.budgets.close('root', 'run_1', 'run_1')
    expect(await host.budgets.reached(root)).toEqual(scope === 'session' ? use : null)
    const second = await open(host, root, 'run_2', { agent: limited })
    expect(second.reached()).toEqual(scope === 'session' ? use : null)
    second.spend({ tokens: 1 })
    expect((await host.budgets.view(root)).spent.tokens).toBe(101)
  },
)

test('BU-2 the end of a run leaves the next one of its session open, whose spending is shown before it is stored', async () => {
  const host = openHost({})
  const root = await createSession(host, 'root')
  await open(host, root, 'run_1')
  const second = await open(host, root, 'run_2')
  host.budgets.close('root', 'run_1', 'run_1')
  second.spend({ tokens: 5 })
  await host.budgets.charge(root, INFO, COUNTED)
  expect((await host.budgets.view(root)).spent.tokens).toBe(15)
  expect((await host.store.budgets.get('root')).spent.tokens).toBe(15)
})

test('BU-2 what a failed write was to store goes with the next one, of whatever spends', async () => {
  const host = openHost({ session: { max_tokens: 100 } })
  const root = await createSession(host, 'root')
  const stored = async () => (await host.store.budgets.get('root')).spent.tokens
  host.state.fails = true
  await host.budgets.charge(root, INFO, COUNTED)
  const run = await open(host, root, 'run_1')
  run.spend({ tokens: 30 })
  await expect(save(host, run)).rejects.toBe(FULL)
  host.budgets.close('root', 'run_1', 'run_1')
  expect((await host.budgets.view(root)).spent.tokens).toBe(40)
  expect(await stored()).toBe(0)
  expect(host.scopes.sessions).toEqual(['root'])
  host.state.fails = false
  await host.budgets.charge(root, INFO, COUNTED)
  expect(await stored()).toBe(50)
  expect(host.scopes.sessions).toEqual([])
})

test('SV-7 BU-2 an account is read once while anything of its session works, and dropped and read again after it', async () => {
  const host = openHost({})
  const root = await createSession(host, 'root')
  const first = await open(host, root, 'run_1')
  const child = await openChild(host, await createSession(host, 'child', [root]), 'run_c', first)
  host.budgets.close('root', 'run_1', 'run_1')
  await open(host, root, 'run_2')
  expect(host.state.reads).toBe(2)
  host.budgets.close('root', 'run_2', 'run_2')
  expect(host.scopes.sessions.toSorted()).toEqual(['child', 'root'])
  child.spend({ tokens: 3 })
  await save(host, child)
  host.budgets.close('child', 'run_c', 'run_c')
  expect(host.scopes.sessions).toEqual([])
  const third = await open(host, root, 'run_3')
  expect([third.spent.tokens, (await host.budgets.view(root)).spent.tokens]).toEqual([0, 3])
})

test('BU-2 time that a run waits is not counted, and time of a subagent is its own', async () => {
  const host = openHost({ run: { max_duration: 1_000 } })
  const root = await createSession(host, 'root')
  const run = await open(host, root, 'run_1', { before: { ...NOTHING_SPENT, durationMs: 400 } })
  const child = await openChild(host, await createSession(host, 'child', [root]), 'run_c', run)
  run.startTime()
  await host.clock.advance(500)
  run.stopTime()
  child.startTime()
  await host.clock.advance(900)
  expect([run.spent.durationMs, child.spent.durationMs, run.reached()]).toEqual([900, 900, null])
  run.startTime()
  await host.clock.advance(100)
  expect([run.reached(), child.reached()]).toMatchObject([{ used: 1_000 }, { used: 1_000 }])
})

test('BU-2 a late charge of a subagent counts for its chat, which lets neither of them begin anything', async () => {
  const host = openHost({ session: { max_tokens: 10 } })
  const root = await createSession(host, 'root')
  const child = await createSession(host, 'child', [root])
  const near: SessionEvent[] = []
  host.events.subscribe('root', (event) => near.push(event))
  await host.budgets.charge(child, INFO, COUNTED)
  expect((await host.store.budgets.get('root')).spent.tokens).toBe(10)
  const use = { scope: 'session', limit: 'max_tokens', used: 10 }
  expect([await host.budgets.reached(root), await host.budgets.reached(child)]).toMatchObject([use, use])
  await expect(host.budgets.assertLeft(root)).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' })
})

test('BU-1 tokens of an unknown price cost nothing', async () => {
  const host = openHost({})
  const root = await createSession(host, 'root')
  const prices = { input: null, output: null, cacheRead: null, cacheWrite: null }
  await host.budgets.charge(root, { ...INFO, prices }, COUNTED)
  expect((await host.store.budgets.get('root')).spent).toMatchObject({ tokens: 10, costUsd: 0 })
})

test('BU-2 what is charged while a run works counts for that run, and is stored with its next write', async () => {
  const host = openHost({ run: { max_tokens: 10 } })
  const root = await createSession(host, 'root')
  const run = await open(host, root, 'run_1')
  await host.budgets.charge(root, INFO, COUNTED)
  expect(run.reached()).toMatchObject({ scope: 'run', limit: 'max_tokens', used: 10 })
  await save(host, run)
  expect((await host.store.budgets.get('root')).spent.tokens).toBe(10)
})

test('BU-2 a run that has ended keeps nothing else from spending, also while a subagent of it works on', async () => {
  const host = openHost({ run: { max_tool_calls: 2 } })
  const root = await createSession(host, 'root')
  const session = await createSession(host, 'child', [root])
  const run = await open(host, root, 'run_1')
  run.startTime()
  expect(host.budgets.isShared('root', 'run_1')).toBe(false)
  const child = await openChild(host, session, 'run_c', run)
  expect(host.budgets.isShared('root', 'run_1')).toBe(true)
  expect([run.takeCall(), child.takeCall()]).toEqual([null, null])
  expect([run.own.toolCalls, run.spent.toolCalls]).toEqual([1, 2])
  expect(await host.budgets.reached(root)).toMatchObject({ scope: 'run', used: 2 })
  host.budgets.close('root', 'run_1', 'run_1')
  host.clock.advance(500)
  expect([await host.budgets.reached(root), run.spent.durationMs]).toEqual([null, 0])
  expect(child.reached()).toMatchObject({ scope: 'run', used: 2 })
})

test('BU-2 what a person sets for a chat is shown for its subagents, and counts also while the account is read', async () => {
  const host = openHost({ session: { max_tool_calls: 1 } })
  const root = await createSession(host, 'root')
  const child = await createSession(host, 'child', [root])
  const [run] = await Promise.all([
    open(host, root, 'run_1'),
    host.budgets.setLimits(root, { session: { max_tool_calls: 3 } }),
  ])
  expect(makeAll(run)).toBe(3)
  expect((await host.budgets.view(child)).limits.session).toEqual({ max_tool_calls: 3 })
  expect((await host.budgets.view(root)).own).toEqual({ session: { max_tool_calls: 3 } })
})

test('BU-2 what is charged to a session that is gone is dropped, and is no error of the server; a full disk is one', async () => {
  const host = openHost({})
  const root = await createSession(host, 'root')
  await host.budgets.charge({ ...root, id: 'gone' }, INFO, COUNTED)
  expect([host.logged, host.scopes.sessions]).toEqual([['debug'], []])
  host.state.fails = true
  await host.budgets.charge(root, INFO, COUNTED)
  expect([host.logged, host.scopes.sessions]).toEqual([['debug', 'error'], ['root']])
})

test('BU-1 a run that waits for a subagent works all the while, and the limit of its time ends the subagent too', async () => {
  const host = openHost({ session: { max_duration: 1_000 } })
  const root = await createSession(host, 'root')
  const run = await open(host, root, 'run_1')
  run.startTime()
  await host.clock.advance(600)
  const child = await openChild(host, await createSession(host, 'child', [root]), 'run_c', run)
  child.startTime()
  await host.clock.advance(399)
  expect(child.takeCall()).toBeNull()
  await host.clock.advance(1)
  expect(child.takeCall()).toMatchObject({ scope: 'session', limit: 'max_duration', used: 1_000 })
  expect((await host.budgets.view(root)).spent.durationMs).toBe(1_000)
  expect(child.own.durationMs).toBe(400)
})

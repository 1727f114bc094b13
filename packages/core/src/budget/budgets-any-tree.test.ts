import {
  COUNTED,
  createSession,
  type Host,
  INFO,
  open,
  openChild,
  openHost,
  save,
} from '@palimpsest/testing/budget-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '../domain/session/session.ts'
import type { Ledger } from './ledger.ts'

/** A run with the sessions and runs that it draws from, from the root on; its own are the last. */
type Running = { session: Session; ledger: Ledger; path: Session[]; runs: string[] }

/** Counts what was spent, by session and by run, independently of the code. */
function createCounts() {
  const counts = new Map<string, number>()
  return {
    of: (key: string) => counts.get(key) ?? 0,
    add(keys: readonly string[], by: number) {
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + by)
    },
  }
}

type World = {
  host: Host
  runMax: number
  sessionMax: number
  root: Session
  sessions: Session[][]
  running: Running[]
  tokens: ReturnType<typeof createCounts>
  calls: ReturnType<typeof createCounts>
  ids: number
}

const ids = (path: readonly Session[]) => path.map(({ id }) => id)
const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)]

function closeRun(world: World, at: number): void {
  const [ended] = world.running.splice(at % Math.max(1, world.running.length), 1)
  if (ended) world.host.budgets.close(ended.session.id, ended.ledger.runId, ended.ledger.runId)
}

const ACTS = {
  async open(world: World, at: number) {
    const { host, root, running } = world
    const runId = `run_${world.ids++}`
    const parent = at % 3 === 0 ? undefined : pick(running, at)
    if (parent === undefined) {
      running.push({ session: root, ledger: await open(host, root, runId), path: [root], runs: [runId] })
      return
    }
    const session = await createSession(host, `ses_${runId}`, parent.path)
    const path = [...parent.path, session]
    world.sessions.push(path)
    const ledger = await openChild(host, session, runId, parent.ledger)
    running.push({ session, ledger, path, runs: [...parent.runs, runId] })
  },
  close: closeRun,
  fail(world: World, at: number) {
    world.host.state.fails = at % 2 === 0
  },
  async save({ host, running }: World, at: number) {
    const run = pick(running, at)
    if (run) await save(host, run.ledger).catch(() => undefined)
  },
  spend({ running, tokens }: World, at: number) {
    const run = pick(running, at)
    run?.ledger.spend({ tokens: at })
    tokens.add(ids(run?.path ?? []), at)
  },
  async charge({ host, sessions, tokens }: World, at: number) {
    const path = pick(sessions, at) ?? []
    for (const session of path.slice(-1)) await host.budgets.charge(session, INFO, COUNTED)
    tokens.add(ids(path), 10)
  },
  async limit(world: World, at: number) {
    world.sessionMax = 1 + (at % 12)
    await world.host.budgets.setLimits(world.root, { session: { max_tool_calls: world.sessionMax } })
  },
  call({ running, calls, runMax, sessionMax, root }: World, at: number) {
    const run = pick(running, at)
    if (run === undefined) return
    const isFree = calls.of(root.id) < sessionMax && run.runs.every((id) => calls.of(id) < runMax)
    expect(run.ledger.takeCall() === null).toBe(isFree)
    if (isFree) calls.add([...run.runs, ...ids(run.path)], 1)
  },
  async restart(world: World) {
    while (world.running.length > 0) closeRun(world, 0)
    world.host.state.fails = false
    await world.host.budgets.storeAll()
    expect(world.host.scopes.sessions).toEqual([])
    world.host = openHost({ run: { max_tool_calls: world.runMax } }, world.host.tables)
  },
}

const act = fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[]), 'open', 'call', 'call', 'call')
const steps = fc.array(fc.record({ type: act, at: fc.nat(50) }), { maxLength: 60 })

test('BU-2 random trees of runs, subagents and background calls never make more calls than a limit, and forget no spending', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (taken, runMax) => {
      const host = openHost({ run: { max_tool_calls: runMax } })
      const root = await createSession(host, 'root')
      const counts = { tokens: createCounts(), calls: createCounts() }
      const world: World = {
        host,
        runMax,
        sessionMax: 0,
        root,
        sessions: [[root]],
        running: [],
        ids: 0,
        ...counts,
      }
      await ACTS.limit(world, 4)
      for (const { type, at } of taken) {
        await ACTS[type](world, at)
        for (const path of world.sessions) {
          const session = path.at(-1) ?? root
          const { tokens, toolCalls } = (await world.host.budgets.view(session)).spent
          expect([tokens, toolCalls]).toEqual([counts.tokens.of(session.id), counts.calls.of(session.id)])
        }
      }
    }),
  )
})

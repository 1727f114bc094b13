import { createMemorySessionEvents } from '@palimpsest/core'
import {
  type BudgetLimits,
  type ModelInfo,
  NOTHING_SPENT,
  type Session,
  type Spending,
} from '@palimpsest/core/domain'
import type { BudgetStore, Store } from '@palimpsest/core/ports'
import { createBudgets } from '../../core/src/budget/budgets.ts'
import type { Ledger } from '../../core/src/budget/ledger.ts'
import { createSessionScopes } from '../../core/src/state/session-scopes.ts'
import { createFakeClock } from './fake-clock.ts'
import { createMemoryStore } from './memory-store/memory-store.ts'
import { createMemoryTables } from './memory-store/tables.ts'
import { newSession } from './store-contract/fixtures.ts'

/** What a model has used: 10 tokens. */
export const COUNTED = { input: 10, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const PRICES = { input: 1_000_000, output: null, cacheRead: null, cacheWrite: null }
export const INFO = { prices: PRICES } as unknown as ModelInfo
export const FULL = new Error('The disk is full.')

/** A host on these rows, with what budgets need; `store.fails` makes its writes of budgets fail. */
export function openHost(limits: BudgetLimits, tables = createMemoryTables(), agents = new Map()) {
  const memory = createMemoryStore(tables)
  const state = { fails: false, reads: 0 }
  const budgets: BudgetStore = {
    get: (id) => {
      state.reads += 1
      return memory.budgets.get(id)
    },
    add: async (spent) => {
      if (state.fails) throw FULL
      await memory.budgets.add(spent)
    },
    setLimits: memory.budgets.setLimits,
  }
  const store: Store = { ...memory, budgets }
  const clock = createFakeClock()
  const logged: string[] = []
  const note = (level: string) => () => void logged.push(level)
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const events = createMemorySessionEvents({ logger })
  const scopes = createSessionScopes()
  const ports = { store, clock, events, logger, scopes, agents, limits }
  return { tables, store, state, logged, clock, events, scopes, budgets: createBudgets(ports) }
}

export type Host = ReturnType<typeof openHost>

export async function createSession(
  host: Host,
  id: string,
  above: readonly Session[] = [],
): Promise<Session> {
  const parent = above.at(-1)
  const subagent = { ancestors: above.map((one) => one.id), callerAgent: 'assistant', askId: null }
  const child = parent && { parentId: parent.id, parentMessageId: 'm1', metadata: { subagent } }
  return await host.store.sessions.create(newSession(id, child))
}

export const open = (
  { budgets }: Host,
  session: Session,
  runId: string,
  { agent = {}, before }: { agent?: { budget?: BudgetLimits }; before?: Spending } = {},
) => {
  const spent = before && { own: before, below: NOTHING_SPENT }
  return budgets.open(session.id, runId, runId, async () => ({ session, runId, agent, before: spent }))
}

/** The run of a subagent, which draws from the run `parent`. */
export function openChild(
  { budgets }: Host,
  session: Session,
  runId: string,
  parent: Ledger,
): Promise<Ledger> {
  return budgets.open(session.id, runId, runId, async () => {
    await budgets.open(session.parentId ?? '', parent.runId, runId, () => Promise.reject(FULL))
    return { session, runId, agent: {}, parent }
  })
}

/** Stores what a run has spent, as its writes do. */
export const save = ({ store }: Host, ledger: Ledger) => ledger.save((spent) => store.budgets.add(spent))

import { AppError, isServerFault } from '../domain/errors.ts'
import {
  type BudgetLimits,
  type BudgetUse,
  budgetUses,
  describeReached,
  isReached,
  mergeLimits,
  type SessionBudget,
  type Spending,
} from '../domain/model/budget.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { modelCost } from '../domain/model/model-cost.ts'
import { type TokenCounts, totalTokens } from '../domain/model/usage.ts'
import { ancestorsOf, DEFAULT_AGENT_ID, rootOf, type Session } from '../domain/session/session.ts'
import type { Clock, Logger, SessionEvents, Store, StoredBudget } from '../ports/index.ts'
import type { SessionScopes } from '../state/session-scopes.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createSessionAccount } from './session-account.ts'

/** The part of an agent that matters here. */
type Limited = { budget?: BudgetLimits }

export type BudgetPorts = {
  store: Store
  clock: Clock
  events: SessionEvents
  logger: Logger
  scopes: SessionScopes
  agents: ReadonlyMap<string, Limited>
  /** Limits of the configuration, for all sessions. */
  limits: BudgetLimits | undefined
}

export type RunBudget = {
  session: Session
  runId: string
  agent: Limited
  /** What the run had spent when it began to wait, by itself and by its subagents. */
  before?: { own: Spending; below: Spending } | undefined
  /** The ledger of the run that started this one, in use for this one. */
  parent?: Ledger | undefined
}

/** Budgets of sessions, and the ledgers of runs. */
export type Budgets = {
  /**
   * The ledger of a run, for the run `user`: the run itself, or one that draws from it. `read` is called when there is none; the
   * same ledger is used from then on until all its users have closed it, also while the run waits.
   */
  open(sessionId: string, runId: string, user: string, read: () => Promise<RunBudget>): Promise<Ledger>
  /** Ends the use of a run's ledger by `user`. What is not stored by then is stored by itself. */
  close(sessionId: string, runId: string, user: string): void
  /** Whether runs that this one has started still draw from it. */
  isShared(sessionId: string, runId: string): boolean
  /** The limit that keeps the session from spending more; null while something is left of each. */
  reached(session: Session): Promise<BudgetUse | null>
  /** Fails with `BUDGET_EXHAUSTED`, whose field is the limit, such as `session.max_tokens`. */
  assertLeft(session: Session): Promise<void>
  /** Adds a model call that is no step of a run. Never rejects: the call is made. */
  charge(session: Session, info: ModelInfo, counts: TokenCounts): Promise<void>
  view(session: Session): Promise<SessionBudget>
  /** Sets the limits of a session, also for all that works for it. */
  setLimits(session: Session, limits: BudgetLimits): Promise<SessionBudget>
  /** Stores what earlier writes could not. */
  storeAll(): Promise<void>
}

type OpenLedger = { opening: Promise<Ledger>; ledger: Ledger | null; parent?: Ledger; users: Set<string> }

export function createBudgets(ports: BudgetPorts): Budgets {
  const { store, clock, events, logger, agents, scopes } = ports
  const accounts = scopes.define({
    create: (sessionId) => createSessionAccount(sessionId, store.budgets),
    isIdle: ({ isStored }) => isStored,
  })
  const runs = scopes.define<Map<string, OpenLedger>>({
    create: () => new Map(),
    isIdle: ({ size }) => size === 0,
  })

  /** What a person sets for a chat counts for its subagents too, behind the limits of their agents. */
  function limitsOf(agent: Limited | undefined, own: BudgetLimits, chat: BudgetLimits = {}) {
    return mergeLimits(ports.limits, chat, agent?.budget, own)
  }

  /** An agent of a file has the limits of the default one. */
  const agentOf = (id: string) => agents.get(id) ?? agents.get(DEFAULT_AGENT_ID)

  async function viewOf(session: Session, { limits: own, spent }: StoredBudget): Promise<SessionBudget> {
    const rootId = rootOf(session)
    const chat = rootId === session.id ? undefined : (await read(rootId)).limits
    const limits = limitsOf(agentOf(session.agent), own, chat)
    const reached = budgetUses('session', limits.session, spent).find(isReached) ?? null
    return { limits, own, spent, reached }
  }

  /** The ledger of the run that works or waits in the session. */
  function ledgerOf(sessionId: string): Ledger | null {
    const open = [...(runs.find(sessionId) ?? [])]
    return open.findLast(([runId, { users }]) => users.has(runId))?.[1].ledger ?? null
  }

  /** With what is spent and not stored. */
  async function read(sessionId: string): Promise<StoredBudget> {
    const account = accounts.find(sessionId)
    if (account === undefined) return await store.budgets.get(sessionId)
    await account.load()
    ledgerOf(sessionId)?.reached()
    return { limits: account.own, spent: account.spent }
  }

  async function view(session: Session): Promise<SessionBudget> {
    return await viewOf(session, await read(session.id))
  }

  /** Of the session, and of those above that of a subagent. */
  async function reached(session: Session): Promise<BudgetUse | null> {
    const ledger = ledgerOf(session.id)
    if (ledger !== null) return ledger.reached()
    for (const sessionId of [...ancestorsOf(session)].reverse()) {
      const above = await store.sessions.get(sessionId)
      const use = above === null ? null : (await view(above)).reached
      if (use !== null) return use
    }
    return (await view(session)).reached
  }

  async function openLedger({ session, runId, agent, before, parent }: RunBudget): Promise<Ledger> {
    const account = accounts.of(session.id)
    await account.load()
    const chat = parent?.sessions.at(-1)
    return createLedger({
      runId,
      session: account,
      limitsOf: (own) => limitsOf(agent, own, chat?.own),
      before,
      parent,
      elapsed: () => clock.elapsed(),
      onNear: (use) => events.publish({ type: 'budget-near', sessionId: session.id, use }),
    })
  }

  /** Never rejects: what cannot be stored now goes with the next write of its session. */
  async function storeSpent(sessionId: string): Promise<void> {
    const account = accounts.find(sessionId)
    if (account !== undefined && !account.isStored) {
      await account.store().catch((error: unknown) => {
        const isGone = !isServerFault(error)
        // A session that was purged meanwhile keeps no account.
        if (isGone) scopes.forget(sessionId)
        const level = isGone ? 'debug' : 'error'
        logger[level]({ error, sessionId }, 'What a session has spent could not be stored yet')
      })
    }
    scopes.release(sessionId)
  }

  function close(sessionId: string, runId: string, user: string): void {
    const open = runs.find(sessionId)
    const found = open?.get(runId)
    if (open === undefined || found === undefined || !found.users.delete(user)) return
    if (user === runId) found.ledger?.stopTime()
    if (found.users.size === 0) {
      open.delete(runId)
      const { parent } = found
      const above = parent?.sessions[0]
      if (parent && above) close(above.sessionId, parent.runId, runId)
    }
    void storeSpent(sessionId)
  }

  return {
    view,
    reached,
    close,
    async open(sessionId, runId, user, read) {
      const open = runs.of(sessionId)
      const found = open.get(runId)
      if (found !== undefined) {
        found.users.add(user)
        return await found.opening
      }
      const { promise: opening, resolve, reject } = Promise.withResolvers<Ledger>()
      const entry: OpenLedger = { opening, ledger: null, users: new Set([user]) }
      open.set(runId, entry)
      try {
        const run = await read()
        if (run.parent !== undefined) entry.parent = run.parent
        entry.ledger = await openLedger(run)
        resolve(entry.ledger)
      } catch (error) {
        opening.catch(() => undefined)
        reject(error)
        for (const each of entry.users) close(sessionId, runId, each)
      }
      return await opening
    },
    isShared: (sessionId, runId) => {
      const users = runs.find(sessionId)?.get(runId)?.users
      return users !== undefined && [...users].some((user) => user !== runId)
    },
    async assertLeft(session) {
      const use = (await view(session)).reached
      if (use === null) return
      const field = `${use.scope}.${use.limit}`
      throw new AppError('BUDGET_EXHAUSTED', `${describeReached(use)} Raise it to go on.`, { field })
    },
    async charge(session, { prices }, counts) {
      const amount = { tokens: totalTokens(counts), costUsd: modelCost(counts, prices) ?? 0 }
      const ledger = ledgerOf(session.id)
      if (ledger !== null) {
        ledger.spend(amount)
        // What a run that works spends goes with its next write.
        if (!ledger.isTimed) await Promise.all(ledger.sessions.map(({ sessionId }) => storeSpent(sessionId)))
        return
      }
      const concerned = [session.id, ...ancestorsOf(session)]
      for (const sessionId of concerned) accounts.of(sessionId).add(amount)
      await Promise.all(concerned.map(storeSpent))
    },
    async setLimits(session, limits) {
      const stored = await store.budgets.setLimits(session.id, limits)
      const account = accounts.find(session.id)
      account?.setOwn(stored.limits)
      events.publish({ type: 'budget-changed', sessionId: session.id })
      return await viewOf(session, account === undefined ? stored : await read(session.id))
    },
    async storeAll() {
      await Promise.all(scopes.sessions.map(storeSpent))
    },
  }
}

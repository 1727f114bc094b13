import {
  type BudgetLimits,
  type BudgetUse,
  budgetUses,
  describeReached,
  isReached,
  mergeLimits,
  NOTHING_SPENT,
  type SessionBudget,
  type Spending,
} from '../domain/budget.ts'
import { AppError, isServerFault } from '../domain/errors.ts'
import type { ModelInfo } from '../domain/model.ts'
import { modelCost } from '../domain/model-cost.ts'
import type { Session } from '../domain/session.ts'
import { type TokenCounts, totalTokens } from '../domain/usage.ts'
import type { Clock, Logger, SessionEvents, Store, StoredBudget } from '../ports/index.ts'
import { createLedger, type Ledger } from './ledger.ts'

/** The part of an agent that matters here. */
type Limited = { budget?: BudgetLimits }

export type BudgetPorts = {
  store: Store
  clock: Clock
  events: SessionEvents
  logger: Logger
  agents: ReadonlyMap<string, Limited>
  /** Limits of the configuration, for all sessions. */
  limits: BudgetLimits | undefined
}

export type RunBudget = {
  session: Session
  agent: Limited
  /** What the run had spent when it began to wait. */
  before?: Spending | undefined
  parent?: Ledger | undefined
}

/** Budgets of sessions, and the ledgers of the runs that are on. */
export type Budgets = {
  /** The ledger of a run that begins or resumes. */
  open(run: RunBudget): Promise<Ledger>
  /** To be called before the last write of the run: what is spent later is stored at once. */
  close(sessionId: string, ledger: Ledger): void
  /** The ledger of the session's run; undefined while none works. */
  ledgerOf(sessionId: string): Ledger | undefined
  /** The limit that keeps the session from spending more; null while something is left of each. */
  reached(session: Session): Promise<BudgetUse | null>
  /** Fails with `BUDGET_EXHAUSTED`, whose field is the limit, such as `session.max_tokens`. */
  assertLeft(session: Session): Promise<void>
  /** Adds a model call that is no step of a run. Never rejects: the call is made. */
  charge(sessionId: string, info: ModelInfo, counts: TokenCounts): Promise<void>
  view(session: Session): Promise<SessionBudget>
  /** Sets the limits of a session, also for a run that is on. */
  setLimits(session: Session, limits: BudgetLimits): Promise<SessionBudget>
}

export function createBudgets(ports: BudgetPorts): Budgets {
  const { store, clock, events, logger, agents } = ports
  const open = new Map<string, Ledger>()

  function limitsOf(agent: Limited | undefined, own: BudgetLimits) {
    return mergeLimits(ports.limits, agent?.budget, own)
  }

  function viewOf({ agent }: Session, { limits: own, spent }: StoredBudget): SessionBudget {
    const limits = limitsOf(agents.get(agent), own)
    const reached = budgetUses('session', limits.session, spent).find(isReached) ?? null
    return { limits, own, spent, reached }
  }

  /** With what a run that is on has spent since its last write. */
  async function view(session: Session): Promise<SessionBudget> {
    const stored = await store.budgets.get(session.id)
    const ledger = open.get(session.id)
    ledger?.reached()
    const account = ledger?.accounts.find(
      ({ scope, sessionId }) => scope === 'session' && sessionId === session.id,
    )
    return viewOf(session, account === undefined ? stored : { ...stored, spent: account.spent })
  }

  async function reached(session: Session): Promise<BudgetUse | null> {
    const ofRun = open.get(session.id)?.reached() ?? null
    return ofRun ?? (await view(session)).reached
  }

  return {
    view,
    reached,
    ledgerOf: (sessionId) => open.get(sessionId),

    async open({ session, agent, before = NOTHING_SPENT, parent }) {
      const { limits, spent } = await store.budgets.get(session.id)
      const ledger = createLedger({
        sessionId: session.id,
        limits: limitsOf(agent, limits),
        before: { run: before, session: spent },
        parent,
        elapsed: () => clock.elapsed(),
        onNear: (use) => events.publish({ type: 'budget-near', sessionId: session.id, use }),
      })
      open.set(session.id, ledger)
      return ledger
    },

    close(sessionId, ledger) {
      if (open.get(sessionId) === ledger) open.delete(sessionId)
    },

    async assertLeft(session) {
      const use = (await view(session)).reached
      if (use === null) return
      const field = `${use.scope}.${use.limit}`
      throw new AppError('BUDGET_EXHAUSTED', `${describeReached(use)} Raise it to go on.`, { field })
    },

    async charge(sessionId, { prices }, counts) {
      const amount = { tokens: totalTokens(counts), costUsd: modelCost(counts, prices) ?? 0 }
      const ledger = open.get(sessionId)
      if (ledger !== undefined) {
        ledger.spend(amount)
        return
      }
      await store.budgets.add([{ sessionId, ...NOTHING_SPENT, ...amount }]).catch((error: unknown) => {
        // A session that was purged meanwhile keeps no account.
        const level = isServerFault(error) ? 'error' : 'debug'
        logger[level]({ error, sessionId, ...amount }, 'What a model call has cost could not be stored')
      })
    },

    async setLimits(session, limits) {
      const stored = await store.budgets.setLimits(session.id, limits)
      open.get(session.id)?.setLimits(limitsOf(agents.get(session.agent), limits))
      events.publish({ type: 'budget-changed', sessionId: session.id })
      return viewOf(session, stored)
    },
  }
}

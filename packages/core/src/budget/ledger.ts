import {
  addSpending,
  type Budget,
  type BudgetScope,
  type BudgetUse,
  budgetUses,
  isNearLimit,
  isReached,
  NOTHING_SPENT,
  type Spending,
} from '../domain/budget.ts'
import type { SessionSpending } from '../ports/index.ts'

/** What one run, or all runs of one session, may spend and have spent. */
export type Account = {
  readonly scope: BudgetScope
  readonly sessionId: string
  budget: Budget
  spent: Spending
  /** Called when spending brings the use of a limit near its end. */
  readonly onNear: (use: BudgetUse) => void
}

export type LedgerOptions = {
  sessionId: string
  limits: Record<BudgetScope, Budget>
  /** Spent by the run before it waited, and by the session before the run. */
  before: Record<BudgetScope, Spending>
  /** The ledger of the run that started this one: all but time is spent from it, too. */
  parent?: Ledger | undefined
  /** Monotonic milliseconds. */
  elapsed(): number
  onNear(use: BudgetUse): void
}

type Amount = Partial<Omit<Spending, 'durationMs'>>

/**
 * What a run may spend. Its sums never fall: those of the run, of its session, and of the runs that it was started by. Passed
 * on by reference, so that all who spend see what is left.
 */
export type Ledger = {
  /** Of this run and its session, then those of the runs that it was started by. */
  readonly accounts: readonly Account[]
  /** What the run has spent. */
  readonly spent: Spending
  spend(amount: Amount): void
  /** The first limit that is reached; null while something is left of each. */
  reached(): BudgetUse | null
  /** Counts one tool call, unless a limit is reached, which is returned. */
  takeCall(): BudgetUse | null
  /** What the sessions concerned have spent since the last time; to be stored with the run's next write. */
  unsaved(): SessionSpending[]
  /** Limits that a person has changed. */
  setLimits(limits: Record<BudgetScope, Budget>): void
}

export function createLedger(options: LedgerOptions): Ledger {
  const { sessionId, limits, before, parent, elapsed, onNear } = options
  const accountOf = (scope: BudgetScope): Account => {
    return { scope, sessionId, budget: limits[scope], spent: before[scope], onNear }
  }
  const run = accountOf('run')
  const session = accountOf('session')
  const accounts = [run, session, ...(parent?.accounts ?? [])]
  const unsaved = new Map<string, Spending>()
  let timedUntil = elapsed()

  function add(to: readonly Account[], amount: Partial<Spending>) {
    for (const id of new Set(to.map((account) => account.sessionId)))
      unsaved.set(id, addSpending(unsaved.get(id) ?? NOTHING_SPENT, amount))
    for (const account of to) spendFrom(account, amount)
  }

  /** Time is that of this run alone: one that waits for another run works all the while. */
  function addTime() {
    const durationMs = elapsed() - timedUntil
    if (durationMs <= 0) return
    timedUntil += durationMs
    add([run, session], { durationMs })
  }

  function reached(): BudgetUse | null {
    addTime()
    return accounts.flatMap(usesOf).find(isReached) ?? null
  }

  return {
    accounts,
    reached,
    spend: (amount) => add(accounts, amount),
    get spent() {
      addTime()
      return run.spent
    },
    takeCall() {
      const use = reached()
      if (use === null) add(accounts, { toolCalls: 1 })
      return use
    },
    unsaved() {
      addTime()
      const taken = [...unsaved].map(([id, spent]) => ({ sessionId: id, ...spent }))
      unsaved.clear()
      return taken
    },
    setLimits(changed) {
      run.budget = changed.run
      session.budget = changed.session
    },
  }
}

/** Adds to an account, and reports each limit that this brings near its end. */
function spendFrom(account: Account, amount: Partial<Spending>): void {
  const wasNear = new Set(usesOf(account).flatMap((use) => (isNearLimit(use) ? [use.limit] : [])))
  account.spent = addSpending(account.spent, amount)
  for (const use of usesOf(account)) if (isNearLimit(use) && !wasNear.has(use.limit)) account.onNear(use)
}

function usesOf({ scope, budget, spent }: Account): BudgetUse[] {
  return budgetUses(scope, budget, spent)
}

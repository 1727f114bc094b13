import {
  addSpending,
  type Budget,
  type BudgetLimits,
  type BudgetScope,
  type BudgetUse,
  budgetUses,
  isNearLimit,
  isReached,
  NOTHING_SPENT,
  type Spending,
} from '../domain/model/budget.ts'
import type { SessionSpending } from '../ports/index.ts'
import type { SessionAccount } from './session-account.ts'

/** What one run, or all that works for one session, may spend and has spent. */
type Account = {
  readonly scope: BudgetScope
  readonly budget: Budget
  readonly spent: Spending
  /** Called when spending brings the use of a limit near its end. */
  readonly onNear: (use: BudgetUse) => void
  add(amount: Partial<Spending>): void
}

export type LedgerOptions = {
  runId: string
  session: SessionAccount
  /** The limits of the run and its session, given those that a person set. */
  limitsOf(own: BudgetLimits): Record<BudgetScope, Budget>
  /** What the run had spent before: by itself, and by the subagents that it had started. */
  before?: { own: Spending; below: Spending } | undefined
  /** The ledger of the run that started this one: all but time is spent from it, too. */
  parent?: Ledger | undefined
  /** Monotonic milliseconds. */
  elapsed(): number
  onNear(use: BudgetUse): void
}

type Amount = Partial<Omit<Spending, 'durationMs'>>

/**
 * What a run may spend: within its own limits, those of its session, and those of the runs that it was started by. Passed on by
 * reference, so that all who spend see what is left. Nothing waits between a look and what it allows.
 */
export type Ledger = {
  readonly runId: string
  /** Of the session that the run is in, then those above it. */
  readonly sessions: readonly SessionAccount[]
  /** Of this run and its session, then those of the runs that it was started by. */
  readonly accounts: readonly Account[]
  /** What the run has spent, with its subagents. */
  readonly spent: Spending
  /** What the run has spent without its subagents. */
  readonly own: Spending
  spend(amount: Amount): void
  /** The first limit that is reached; null while something is left of each. */
  reached(): BudgetUse | null
  /** Counts one tool call, unless a limit is reached, which is returned. */
  takeCall(): BudgetUse | null
  /** Gives `write` what the sessions concerned have spent and is not stored; what it fails to store goes with the next write. */
  save<T>(write: (spent: SessionSpending[]) => Promise<T>): Promise<T>
  /** Adds the time up to now, of this run and of those that it was started by: they wait for it, and that time is theirs. */
  countTime(): void
  /** Time counts from now on; it does not while the run waits for a person. */
  startTime(): void
  stopTime(): void
  readonly isTimed: boolean
}

export function createLedger(options: LedgerOptions): Ledger {
  const { runId, session, limitsOf, parent, elapsed, onNear } = options
  const { own: ownBefore, below } = options.before ?? { own: NOTHING_SPENT, below: NOTHING_SPENT }
  let own = ownBefore
  let spent = addSpending(ownBefore, { ...below, durationMs: 0 })
  let timedUntil: number | null = null

  const ofRun: Account = {
    scope: 'run',
    onNear,
    get budget() {
      return limitsOf(session.own).run
    },
    get spent() {
      return spent
    },
    add(amount) {
      spent = addSpending(spent, amount)
    },
  }
  const ofSession: Account = {
    scope: 'session',
    onNear,
    get budget() {
      return limitsOf(session.own).session
    },
    get spent() {
      return session.spent
    },
    add: session.add,
  }
  const accounts = [ofRun, ofSession, ...(parent?.accounts ?? [])]
  const sessions = [session, ...(parent?.sessions ?? [])]

  function spendFrom(from: readonly Account[], amount: Partial<Spending>): void {
    own = addSpending(own, amount)
    for (const account of from) addTo(account, amount)
  }

  /** Time is that of this run alone. */
  function addTime() {
    const now = elapsed()
    if (timedUntil === null || now <= timedUntil) return
    const durationMs = now - timedUntil
    timedUntil = now
    spendFrom([ofRun, ofSession], { durationMs })
  }

  function countTime(): void {
    addTime()
    parent?.countTime()
  }

  function reached(): BudgetUse | null {
    countTime()
    return accounts.flatMap(usesOf).find(isReached) ?? null
  }

  return {
    runId,
    sessions,
    accounts,
    reached,
    spend: (amount) => spendFrom(accounts, amount),
    get spent() {
      addTime()
      return spent
    },
    get own() {
      addTime()
      return own
    },
    takeCall() {
      const use = reached()
      if (use === null) spendFrom(accounts, { toolCalls: 1 })
      return use
    },
    async save(write) {
      addTime()
      const taken = sessions.map((account) => ({ account, amounts: account.take() }))
      try {
        return await write(taken.flatMap(({ amounts }) => amounts))
      } catch (error) {
        for (const { account, amounts } of taken) for (const amount of amounts) account.giveBack(amount)
        throw error
      }
    },
    countTime,
    startTime() {
      timedUntil ??= elapsed()
    },
    stopTime() {
      addTime()
      timedUntil = null
    },
    get isTimed() {
      return timedUntil !== null
    },
  }
}

/** Adds to an account, and reports each limit that this brings near its end. */
function addTo(account: Account, amount: Partial<Spending>): void {
  const wasNear = new Set(usesOf(account).flatMap((use) => (isNearLimit(use) ? [use.limit] : [])))
  account.add(amount)
  for (const use of usesOf(account)) if (isNearLimit(use) && !wasNear.has(use.limit)) account.onNear(use)
}

function usesOf({ scope, budget, spent }: Account): BudgetUse[] {
  return budgetUses(scope, budget, spent)
}

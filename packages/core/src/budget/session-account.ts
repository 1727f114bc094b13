import { addSpending, type BudgetLimits, NOTHING_SPENT, type Spending } from '../domain/model/budget.ts'
import type { BudgetStore, SessionSpending } from '../ports/index.ts'

/**
 * What one session has spent, stored or not, and the limits that a person set for it. While anything of the session works there is
 * one, which all of that shares: it is ahead of the row, never behind it.
 */
export type SessionAccount = {
  readonly sessionId: string
  /** The limits that a person set. */
  readonly own: BudgetLimits
  readonly spent: Spending
  /** Reads the row, once. Before that, `own` and `spent` hold only what was added here. */
  load(): Promise<void>
  add(amount: Partial<Spending>): void
  setOwn(limits: BudgetLimits): void
  /** Takes what is not stored yet, for the next write; empty when there is nothing. */
  take(): SessionSpending[]
  /** Takes back what could not be stored. */
  giveBack(amount: Partial<Spending>): void
  /** Stores what is not stored yet, by itself. */
  store(): Promise<void>
  /** Whether all that was spent is stored or on its way. */
  readonly isStored: boolean
}

export function createSessionAccount(sessionId: string, budgets: BudgetStore): SessionAccount {
  let own: BudgetLimits | null = null
  let spent = NOTHING_SPENT
  let unsaved = NOTHING_SPENT
  let loading: Promise<void> | null = null
  /** Reads and writes of the row, one after the other: a read beside a write would count it twice, or not at all. */
  let last: Promise<unknown> = Promise.resolve()
  let writes = 0

  function inOrder(work: () => Promise<void>): Promise<void> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function read(): Promise<void> {
    const stored = await budgets.get(sessionId)
    own ??= stored.limits
    spent = addSpending(stored.spent, unsaved)
  }

  function take(): SessionSpending[] {
    if (unsaved === NOTHING_SPENT) return []
    const taken = { sessionId, ...unsaved }
    unsaved = NOTHING_SPENT
    return [taken]
  }

  function giveBack(amount: Partial<Spending>): void {
    unsaved = addSpending(unsaved, amount)
  }

  async function write(): Promise<void> {
    const taken = take()
    try {
      if (taken.length > 0) await budgets.add(taken)
    } catch (error) {
      for (const amount of taken) giveBack(amount)
      throw error
    } finally {
      writes -= 1
    }
  }

  return {
    sessionId,
    get own() {
      return own ?? {}
    },
    get spent() {
      return spent
    },
    load() {
      loading ??= inOrder(read).catch((error: unknown) => {
        loading = null
        throw error
      })
      return loading
    },
    add(amount) {
      spent = addSpending(spent, amount)
      unsaved = addSpending(unsaved, amount)
    },
    setOwn(limits) {
      own = limits
    },
    take,
    giveBack,
    store() {
      writes += 1
      return inOrder(write)
    },
    get isStored() {
      return unsaved === NOTHING_SPENT && writes === 0
    },
  }
}

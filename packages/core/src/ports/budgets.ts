import type { BudgetLimits, Spending } from '../domain/model/budget.ts'

/** An amount that is added to what a session has spent. */
export type SessionSpending = Spending & { sessionId: string }

/** The limits that a person set for a session, and what it has spent. */
export type StoredBudget = { limits: BudgetLimits; spent: Spending }

/**
 * What sessions have spent. A session that has spent nothing since it was made begins with the tokens of its messages; a branch
 * begins with the limits and the spending of its parent.
 */
export interface BudgetStore {
  /** `SESSION_NOT_FOUND`; so for all of these. */
  get(sessionId: string): Promise<StoredBudget>
  /** Adds to what the sessions have spent, in one transaction. */
  add(spent: readonly SessionSpending[]): Promise<void>
  setLimits(sessionId: string, limits: BudgetLimits): Promise<StoredBudget>
}

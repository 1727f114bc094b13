import { addSpending, NOTHING_SPENT } from '@palimpsest/core/domain'
import type { BudgetStore, SessionSpending, StoredBudget } from '@palimpsest/core/ports'
import { atomically, copy, existingSession, type MemoryTables } from './tables.ts'

export function createMemoryBudgets(tables: MemoryTables): BudgetStore {
  return {
    get: (sessionId) => atomically(() => budgetOf(tables, sessionId)),
    add: (spent) =>
      atomically(() => {
        for (const { sessionId } of spent) existingSession(tables, sessionId)
        addSpent(tables, spent)
      }),
    setLimits: (sessionId, limits) =>
      atomically(() => {
        const budget = { ...budgetOf(tables, sessionId), limits: copy(limits) }
        tables.budgets.set(sessionId, budget)
        return budget
      }),
  }
}

export function budgetOf(tables: MemoryTables, sessionId: string): StoredBudget {
  const { totalTokens } = existingSession(tables, sessionId)
  return tables.budgets.get(sessionId) ?? { limits: {}, spent: { ...NOTHING_SPENT, tokens: totalTokens } }
}

export function addSpent(tables: MemoryTables, spent: readonly SessionSpending[]): void {
  for (const { sessionId, ...amount } of spent) {
    const { limits, spent: before } = budgetOf(tables, sessionId)
    tables.budgets.set(sessionId, { limits, spent: addSpending(before, amount) })
  }
}

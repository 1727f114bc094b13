import type { BudgetStore, StoredBudget } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { ReadQueries } from '../connect/statements.ts'
import { addSpending, readBudget, writeLimits } from '../sql/budget-rows.ts'
import { readSession } from '../sql/session-rows.ts'
import { existingSession, missingSession } from './session-changes.ts'

export function createBudgetStore(database: Database): BudgetStore {
  return {
    get: (sessionId) =>
      database.read(async (queries) => {
        const session = await readSession(queries, sessionId)
        return session === undefined ? missingSession() : await existingBudget(queries, sessionId)
      }),
    add: (spent) =>
      database.write(async (queries) => {
        for (const { sessionId } of spent) await existingSession(queries, sessionId)
        await addSpending(queries, spent)
      }),
    setLimits: (sessionId, limits) =>
      database.write(async (queries) => {
        await existingSession(queries, sessionId)
        await writeLimits(queries, sessionId, limits)
        return await existingBudget(queries, sessionId)
      }),
  }
}

async function existingBudget(queries: ReadQueries, sessionId: string): Promise<StoredBudget> {
  return (await readBudget(queries, sessionId)) ?? missingSession()
}

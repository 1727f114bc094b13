import type { Session } from '../domain/session/session.ts'
import { checkOpen } from '../history/check-input.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { SessionService } from './service.ts'

/** The budget of a session, as persons see and set it. */
export function createBudgeting(
  { budgets }: Pick<TurnPorts, 'budgets'>,
  requireSession: (id: string) => Promise<Session>,
  resumeQueue: (sessionId: string) => void,
): SessionService['budget'] {
  return {
    get: async (sessionId) => await budgets.view(await requireSession(sessionId)),

    async set(sessionId, limits) {
      const session = await requireSession(sessionId)
      checkOpen(session)
      const budget = await budgets.setLimits(session, limits)
      if (budget.reached === null) resumeQueue(sessionId)
      return budget
    },
  }
}

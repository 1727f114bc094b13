import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** What sessions may spend. */
export const budgetRouter = router({
  get: procedure
    .input(inputs.session)
    .output(outputs.budget)
    .query(({ ctx, input }) => ctx.sessions.budget.get(input.sessionId)),
  set: procedure
    .input(inputs.budget)
    .output(outputs.budget)
    .mutation(({ ctx, input }) => ctx.sessions.budget.set(input.sessionId, input.limits)),
})

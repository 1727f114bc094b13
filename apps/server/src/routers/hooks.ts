import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** What the operator has hooked into the loop. */
export const hookRouter = router({
  list: procedure
    .input(inputs.none)
    .output(outputs.hooks)
    .query(({ ctx }) => ({ items: ctx.sessions.hooks.list() })),
})

import { changesInputs as inputs, changesOutputs as outputs } from '../trpc/changes-schemas.ts'
import { procedure, router } from '../trpc/init.ts'

/** The files that a chat has changed, and what takes changes back. */
export const changesRouter = router({
  list: procedure
    .input(inputs.list)
    .output(outputs.list)
    .query(({ ctx, input }) => ctx.sessions.changes.list(input)),
  diff: procedure
    .input(inputs.diff)
    .output(outputs.diff)
    .query(({ ctx, input }) => ctx.sessions.changes.diff(input)),
  revert: procedure
    .input(inputs.revert)
    .output(outputs.result)
    .mutation(({ ctx, input }) => ctx.sessions.changes.revert(input)),
  resolve: procedure
    .input(inputs.resolve)
    .output(outputs.result)
    .mutation(({ ctx, input }) => ctx.sessions.changes.resolve(input)),
  settle: procedure
    .input(inputs.settle)
    .output(outputs.settled)
    .mutation(({ ctx, input }) => ctx.sessions.changes.settle(input)),
  patch: procedure
    .input(inputs.patch)
    .output(outputs.patch)
    .query(({ ctx, input }) => ctx.sessions.changes.patch(input)),
})

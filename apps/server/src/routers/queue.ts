import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** Messages queued behind a run. */
export const queueRouter = router({
  list: procedure
    .input(inputs.session)
    .output(outputs.queue)
    .query(({ ctx, input }) => ctx.sessions.queue.list(input.sessionId)),
  edit: procedure
    .input(inputs.queueEdit)
    .output(outputs.message)
    .mutation(({ ctx, input }) => ctx.sessions.queue.edit(input)),
  cancel: procedure
    .input(inputs.message)
    .output(outputs.cancelled)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.queue.cancel(input.sessionId, input.messageId)
      return { cancelled: true }
    }),
  cancelled: procedure
    .input(inputs.cancelled)
    .output(outputs.messages)
    .query(({ ctx, input }) => ctx.sessions.queue.cancelled(input)),
  restore: procedure
    .input(inputs.message)
    .output(outputs.sendResult)
    .mutation(({ ctx, input }) => ctx.sessions.queue.restore(input.sessionId, input.messageId)),
  reorder: procedure
    .input(inputs.reorder)
    .output(outputs.queue)
    .mutation(({ ctx, input }) => ctx.sessions.queue.reorder(input.sessionId, input.messageIds)),
  promote: procedure
    .input(inputs.message)
    .output(outputs.run)
    .mutation(({ ctx, input }) => ctx.sessions.queue.promote(input.sessionId, input.messageId)),
})

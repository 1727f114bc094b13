import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** Commands that run in the background of sessions. */
export const processRouter = router({
  list: procedure
    .input(inputs.pending)
    .output(outputs.processes)
    .query(async ({ ctx, input }) => ({ items: await ctx.sessions.processes.list(input.sessionId ?? null) })),
  output: procedure
    .input(inputs.processOutput)
    .output(outputs.processOutput)
    .query(({ ctx, input }) => ctx.sessions.processes.output(input)),
  stop: procedure
    .input(inputs.process)
    .output(outputs.stopped)
    .mutation(({ ctx, input }) => ctx.sessions.processes.stop(input)),
})

import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** What is stored of a session: figures and decisions, prompts, and rows. */
export const inspectRouter = router({
  messages: procedure
    .input(inputs.inspected)
    .output(outputs.inspectedMessages)
    .query(({ ctx, input }) => ctx.sessions.inspect.messages(input)),
  tools: procedure
    .input(inputs.message)
    .output(outputs.inspectedTools)
    .query(({ ctx, input }) => ctx.sessions.inspect.tools(input.sessionId, input.messageId)),
  rows: procedure
    .input(inputs.inspected)
    .output(outputs.inspectedRows)
    .query(({ ctx, input }) => ctx.sessions.inspect.rows(input)),
})

import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'
import { streamOut } from '../trpc/stream-out.ts'
import { historyProcedures } from './history.ts'

/** Sessions, their messages and their runs. */
export const sessionRouter = router({
  ...historyProcedures,

  create: procedure
    .input(inputs.create.default({}))
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.create(input)),
  list: procedure
    .input(inputs.list)
    .output(outputs.sessions)
    .query(({ ctx, input }) => ctx.sessions.list(input)),
  get: procedure
    .input(inputs.session)
    .output(outputs.sessionView)
    .query(({ ctx, input }) => ctx.sessions.get(input.sessionId)),
  locate: procedure
    .input(inputs.locate)
    .output(outputs.located)
    .query(({ ctx, input }) => ctx.sessions.locate(input)),
  messages: procedure
    .input(inputs.messages)
    .output(outputs.messages)
    .query(({ ctx, input }) => ctx.sessions.messages(input)),
  prompts: procedure
    .input(inputs.prompts)
    .output(outputs.prompts)
    .query(({ ctx, input }) => ctx.sessions.prompts(input)),
  rename: procedure
    .input(inputs.rename)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.rename(input.sessionId, input.title)),
  chooseFolder: procedure
    .input(inputs.chooseFolder)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.chooseFolder(input.sessionId, input.workspaceRoot)),
  archive: procedure
    .input(inputs.session)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.archive(input.sessionId)),
  unarchive: procedure
    .input(inputs.session)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.unarchive(input.sessionId)),
  delete: procedure
    .input(inputs.delete)
    .output(outputs.deleted)
    .mutation(async ({ ctx, input: { sessionId, ...options } }) => {
      await ctx.sessions.delete(sessionId, options)
      return { deleted: true }
    }),
  restore: procedure
    .input(inputs.session)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.restore(input.sessionId)),
  purge: procedure
    .input(inputs.session)
    .output(outputs.purged)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.purge(input.sessionId)
      return { purged: true }
    }),

  send: procedure
    .input(inputs.send)
    .output(outputs.sendResult)
    .mutation(({ ctx, input }) => ctx.sessions.send(input)),
  resend: procedure
    .input(inputs.resend)
    .output(outputs.run)
    .mutation(({ ctx, input }) => ctx.sessions.resend(input)),
  continue: procedure
    .input(inputs.session)
    .output(outputs.run)
    .mutation(({ ctx, input }) => ctx.sessions.continue(input.sessionId)),
  abort: procedure
    .input(inputs.abort)
    .output(outputs.aborted)
    .mutation(({ ctx, input: { sessionId, runId, pauseQueue = false } }) =>
      ctx.sessions.abort(sessionId, runId, { pauseQueue }),
    ),

  status: procedure
    .input(inputs.session)
    .output(outputs.status)
    .query(({ ctx, input }) => ctx.sessions.status(input.sessionId)),
  content: procedure
    .input(inputs.session)
    .output(outputs.windowContent)
    .query(({ ctx, input }) => ctx.sessions.content(input.sessionId)),
  heaviest: procedure
    .input(inputs.session)
    .output(outputs.heaviest)
    .query(({ ctx, input }) => ctx.sessions.heaviest(input.sessionId)),
  systemPrompt: procedure
    .input(inputs.message)
    .output(outputs.systemPrompt)
    .query(({ ctx, input }) => ctx.sessions.systemPrompt(input.sessionId, input.messageId)),
  stream: procedure
    .input(inputs.stream)
    .subscription(({ ctx, input, signal }) => streamOut(ctx.outlet, ctx.sessions.stream(input, signal))),
  events: procedure
    .input(inputs.events)
    .subscription(({ ctx, input, signal }) =>
      streamOut(ctx.outlet, ctx.sessions.events(input.sessionId ?? null, signal)),
    ),
})

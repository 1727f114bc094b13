import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

/** Calls that a person allows or denies. */
export const permissionRouter = router({
  pending: procedure
    .input(inputs.pending)
    .output(outputs.pendingPermissions)
    .query(async ({ ctx, input }) => ({
      items: await ctx.sessions.permissions.pending(input.sessionId ?? null),
    })),
  reply: procedure
    .input(inputs.permissionReply)
    .output(outputs.replied)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.permissions.reply(input)
      return { replied: true }
    }),
})

/** Questions that a person answers. */
export const questionRouter = router({
  pending: procedure
    .input(inputs.pending)
    .output(outputs.pendingQuestions)
    .query(async ({ ctx, input }) => ({
      items: await ctx.sessions.questions.pending(input.sessionId ?? null),
    })),
  answer: procedure
    .input(inputs.answer)
    .output(outputs.replied)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.questions.answer(input.questionId, input.answers)
      return { replied: true }
    }),
})

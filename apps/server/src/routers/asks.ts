import { AppError } from '@palimpsest/core/domain'
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
  rules: procedure
    .input(inputs.permissionRules)
    .output(outputs.rules)
    .query(async ({ ctx, input }) => ({ items: await ctx.sessions.permissions.rules(scopeOf(input)) })),
  revoke: procedure
    .input(inputs.permissionRevoke)
    .output(outputs.revoked)
    .mutation(async ({ ctx, input }) => {
      const scope = scopeOf(input)
      if (scope === null)
        throw new AppError('INVALID_INPUT', 'Name the session or the folder of the rule.', {
          field: 'sessionId',
        })
      await ctx.sessions.permissions.revoke(input.ruleId, scope)
      return { revoked: true }
    }),
  setMode: procedure
    .input(inputs.permissionMode)
    .output(outputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.permissions.setMode(input.sessionId, input.mode)),
})

/** The session counts before the folder. */
function scopeOf({ sessionId, workspaceRoot }: { sessionId?: string; workspaceRoot?: string }) {
  if (sessionId !== undefined) return { sessionId }
  return workspaceRoot === undefined ? null : { workspaceRoot }
}

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
      await ctx.sessions.questions.answer(input.questionId, input.answers, input.refused)
      return { replied: true }
    }),
})

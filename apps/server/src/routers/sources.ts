import { procedure, router } from '../trpc/init.ts'
import { sourceInputs as inputs, sourceOutputs as outputs } from '../trpc/source-shapes.ts'

/** Instructions of files, for a session or a folder. */
export const instructionRouter = router({
  list: procedure
    .input(inputs.place)
    .output(outputs.instructions)
    .query(({ ctx, input }) => ctx.sessions.sources.instructions(input)),
})

export const skillRouter = router({
  list: procedure
    .input(inputs.place)
    .output(outputs.skills)
    .query(({ ctx, input }) => ctx.sessions.sources.skills(input)),
})

/** Commands of files: texts that a person sends by name. */
export const commandRouter = router({
  list: procedure
    .input(inputs.place)
    .output(outputs.commands)
    .query(({ ctx, input }) => ctx.sessions.sources.commands(input)),
  expand: procedure
    .input(inputs.expand)
    .output(outputs.expanded)
    .query(async ({ ctx, input }) => {
      const { name, arguments: given, ...place } = input
      return { text: await ctx.sessions.sources.expand(place, name, given) }
    }),
})

/** What a repository brings that acts, and the consents of the person. */
export const trustRouter = router({
  list: procedure
    .input(inputs.place)
    .output(outputs.trustItems)
    .query(async ({ ctx, input }) => ({ items: await ctx.sessions.sources.trust.list(input) })),
  grant: procedure
    .input(inputs.grant)
    .output(outputs.consent)
    .mutation(({ ctx, input: { digest, ...place } }) => ctx.sessions.sources.trust.grant(place, digest)),
  revoke: procedure
    .input(inputs.revoke)
    .output(outputs.revoked)
    .mutation(async ({ ctx, input }) => ({
      revoked: await ctx.sessions.sources.trust.revoke(input.digest),
    })),
})

export const agentFileRouter = router({
  list: procedure
    .input(inputs.place)
    .output(outputs.agentFiles)
    .query(({ ctx, input }) => ctx.sessions.sources.agents(input)),
})

import { AppError } from '@palimpsest/core/domain'
import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'

const NOT_OURS =
  'A sign-in leads back to this server only, under the name it was called by or one of PALIMPSEST_ALLOWED_HOSTS with HTTPS.'

/** The MCP servers of the configuration, and those that persons enter. Variables and headers are part of inputs only. */
export const mcpRouter = router({
  servers: procedure
    .input(inputs.none)
    .output(outputs.mcpServers)
    .query(({ ctx }) => ({ items: ctx.sessions.mcp.servers() })),
  test: procedure
    .input(inputs.mcpDefinition)
    .output(outputs.mcpTest)
    .mutation(({ ctx, input }) => ctx.sessions.mcp.test(input)),
  put: procedure
    .input(inputs.mcpDefinition)
    .output(outputs.mcpEntered)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.mcp.put(input)
      return { entered: true }
    }),
  remove: procedure
    .input(inputs.mcpServer)
    .output(outputs.removed)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.mcp.remove(input.name)
      return { removed: true }
    }),
  reconnect: procedure
    .input(inputs.mcpServer)
    .output(outputs.reconnecting)
    .mutation(({ ctx, input }) => {
      ctx.sessions.mcp.reconnect(input.name)
      return { reconnecting: true }
    }),
  /** Returns the page where a person signs in. */
  signIn: procedure
    .input(inputs.mcpSignIn)
    .output(outputs.signInPage)
    .mutation(async ({ ctx, input: { name, origin } }) => {
      if (!ctx.isOwnAddress(origin)) throw new AppError('INVALID_INPUT', NOT_OURS, { field: 'origin' })
      return { url: await ctx.sessions.mcp.signIn(name, origin) }
    }),
  signOut: procedure
    .input(inputs.mcpServer)
    .output(outputs.signedOut)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.mcp.signOut(input.name)
      return { signedOut: true }
    }),
})

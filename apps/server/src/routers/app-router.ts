import { procedure, router } from '../trpc/init.ts'
import { inputs } from '../trpc/inputs.ts'
import { outputs } from '../trpc/outputs.ts'
import { permissionRouter, questionRouter } from './asks.ts'
import { budgetRouter } from './budget.ts'
import { changesRouter } from './changes.ts'
import { hookRouter } from './hooks.ts'
import { inspectRouter } from './inspect.ts'
import { mcpRouter } from './mcp.ts'
import { memoryRouter } from './memories.ts'
import { processRouter } from './processes.ts'
import { queueRouter } from './queue.ts'
import { sessionRouter } from './session.ts'
import { providerRouter, settingsRouter } from './settings.ts'
import { agentFileRouter, commandRouter, instructionRouter, skillRouter, trustRouter } from './sources.ts'

/** All procedures under `/trpc`, by noun. */
export const appRouter = router({
  session: sessionRouter,
  changes: changesRouter,
  queue: queueRouter,
  permission: permissionRouter,
  question: questionRouter,
  settings: settingsRouter,
  provider: providerRouter,
  process: processRouter,
  agent: router({
    list: procedure
      .input(inputs.none)
      .output(outputs.agents)
      .query(async ({ ctx }) => ({ items: await ctx.sessions.agents.list() })),
  }),
  instruction: instructionRouter,
  skill: skillRouter,
  command: commandRouter,
  agentFile: agentFileRouter,
  trust: trustRouter,
  mcp: mcpRouter,
  memory: memoryRouter,
  budget: budgetRouter,
  workspace: router({
    files: procedure
      .input(inputs.files)
      .output(outputs.files)
      .query(({ ctx, input }) => ctx.sessions.findFiles(input)),
  }),
  hook: hookRouter,
  inspect: inspectRouter,
  model: router({
    list: procedure
      .input(inputs.none)
      .output(outputs.models)
      .query(({ ctx }) => ctx.sessions.models()),
  }),
  usage: router({
    report: procedure
      .input(inputs.usage)
      .output(outputs.usageReport)
      .query(({ ctx, input }) => ctx.sessions.usageReport(input)),
  }),
  search: router({
    messages: procedure
      .input(inputs.search)
      .output(outputs.searchHits)
      .query(({ ctx, input }) => ctx.sessions.search(input)),
  }),
  system: router({
    info: procedure
      .input(inputs.none)
      .output(outputs.systemInfo)
      .query(({ ctx }) => ctx.systemInfo()),
    storage: procedure
      .input(inputs.none)
      .output(outputs.storage)
      .query(({ ctx }) => ctx.sessions.storage()),
  }),
})

/** The type of the whole API, which clients import. */
export type AppRouter = typeof appRouter

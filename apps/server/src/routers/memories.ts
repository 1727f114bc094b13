import { procedure, router } from '../trpc/init.ts'
import { memoryOutputs } from '../trpc/memory-outputs.ts'
import { memoryInputs } from '../trpc/setting-inputs.ts'

/** Notes that models read in every session. */
export const memoryRouter = router({
  list: procedure
    .input(memoryInputs.list)
    .output(memoryOutputs.page)
    .query(({ ctx, input }) => ctx.sessions.memories.list(input)),
  write: procedure
    .input(memoryInputs.write)
    .output(memoryOutputs.memory)
    .mutation(({ ctx, input }) => ctx.sessions.memories.write(input)),
  delete: procedure
    .input(memoryInputs.delete)
    .output(memoryOutputs.deleted)
    .mutation(async ({ ctx, input }) => ({ deleted: await ctx.sessions.memories.delete(input.id) })),
})

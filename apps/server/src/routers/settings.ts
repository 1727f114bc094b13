import { procedure, router } from '../trpc/init.ts'
import { outputs } from '../trpc/outputs.ts'
import { settingInputs } from '../trpc/setting-inputs.ts'

/** Settings that apply to every session. */
export const settingsRouter = router({
  get: procedure
    .input(settingInputs.none)
    .output(outputs.settings)
    .query(({ ctx }) => ctx.sessions.settings.get()),
  set: procedure
    .input(settingInputs.set)
    .output(outputs.settings)
    .mutation(({ ctx, input }) => ctx.sessions.settings.set(input)),
})

/** Providers of models. A key is part of inputs only. */
export const providerRouter = router({
  list: procedure
    .input(settingInputs.none)
    .output(outputs.providers)
    .query(async ({ ctx }) => ({ items: await ctx.sessions.providers.list() })),
  put: procedure
    .input(settingInputs.provider)
    .output(outputs.enteredProvider)
    .mutation(({ ctx, input }) => ctx.sessions.providers.put(input)),
  test: procedure
    .input(settingInputs.test)
    .output(outputs.providerTest)
    .mutation(({ ctx, input }) => ctx.sessions.providers.test(input)),
  remove: procedure
    .input(settingInputs.remove)
    .output(outputs.removed)
    .mutation(async ({ ctx, input }) => {
      await ctx.sessions.providers.remove(input.id)
      return { removed: true }
    }),
})

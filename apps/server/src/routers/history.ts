import { historyInputs as inputs } from '../trpc/history-inputs.ts'
import { historyOutputs as outputs } from '../trpc/history-outputs.ts'
import { procedure } from '../trpc/init.ts'
import { joinExport } from '../trpc/join-export.ts'

/** History operations of a session; part of the `session` router. */
export const historyProcedures = {
  rewind: procedure.input(inputs.rewind).mutation(({ ctx, input }) => ctx.sessions.history.rewind(input)),
  unrewind: procedure
    .input(inputs.unrewind)
    .mutation(({ ctx, input }) => ctx.sessions.history.unrewind(input)),
  versions: procedure.input(inputs.message).query(({ ctx, input }) => ctx.sessions.history.versions(input)),
  threadVersions: procedure
    .input(inputs.session)
    .query(({ ctx, input }) => ctx.sessions.history.threadVersions(input.sessionId)),
  switchVersion: procedure
    .input(inputs.version)
    .mutation(({ ctx, input }) => ctx.sessions.history.switchVersion(input)),
  restorePoints: procedure
    .input(inputs.points)
    .output(outputs.restorePoints)
    .query(({ ctx, input }) => ctx.sessions.history.restorePoints(input)),
  preview: procedure
    .input(inputs.preview)
    .output(outputs.pointPage)
    .query(({ ctx, input }) => ctx.sessions.history.preview(input)),
  restoreTo: procedure
    .input(inputs.point)
    .mutation(({ ctx, input }) => ctx.sessions.history.restoreTo(input)),
  branch: procedure.input(inputs.branch).mutation(({ ctx, input }) => ctx.sessions.history.branch(input)),
  keep: procedure
    .input(inputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.history.keep(input.sessionId)),
  tree: procedure.input(inputs.session).query(({ ctx, input }) => ctx.sessions.history.tree(input.sessionId)),
  timeline: procedure
    .input(inputs.session)
    .query(({ ctx, input }) => ctx.sessions.history.timeline(input.sessionId)),
  compact: procedure
    .input(inputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.history.compact(input.sessionId)),
  uncompact: procedure
    .input(inputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.history.uncompact(input.sessionId)),
  prune: procedure
    .input(inputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.history.prune(input.sessionId)),
  unprune: procedure
    .input(inputs.session)
    .mutation(({ ctx, input }) => ctx.sessions.history.unprune(input.sessionId)),
  uncondense: procedure
    .input(inputs.condensed)
    .mutation(({ ctx, input }) => ctx.sessions.history.uncondense(input)),
  recondense: procedure
    .input(inputs.condensed)
    .mutation(({ ctx, input }) => ctx.sessions.history.recondense(input)),
  leaveOut: procedure
    .input(inputs.message)
    .mutation(({ ctx, input }) => ctx.sessions.history.leaveOut(input)),
  bringBack: procedure
    .input(inputs.message)
    .mutation(({ ctx, input }) => ctx.sessions.history.bringBack(input)),
  fit: procedure.input(inputs.fit).query(({ ctx, input }) => ctx.sessions.history.fit(input)),
  export: procedure.input(inputs.export).query(async ({ ctx, input }) => ({
    data: await joinExport(ctx.sessions.history.export(input)),
  })),
  import: procedure
    .input(inputs.import)
    .mutation(({ ctx, input }) => ctx.sessions.history.import([input.data])),
}

import { AppError } from '../../domain/errors.ts'
import type { MetadataPatch } from '../../domain/message.ts'
import type { Session } from '../../domain/session.ts'
import type { NewMessage, RunTrigger } from '../../ports/index.ts'
import type { FilePlan, Workspace } from './workspace.ts'

/** What a run has to do with the files of its workspace. */
export type RunFiles = {
  /** The trigger, whose message knows the state that it is sent in. */
  noted(trigger: RunTrigger): RunTrigger
  /** Moves the files as the rewind asks that makes room for the run; fails when they could not follow. */
  begin(): Promise<void>
  /** What the reply is to know of the files that the run has changed. */
  end(): Promise<MetadataPatch>
}

const NOT_MOVED =
  'Not all files of the workspace could be restored, so the model was not asked. Taking the rewind back is safe.'

/** The message, which knows the state that it was sent in. */
export function sentIn(state: string | null, message: NewMessage): NewMessage {
  if (state === null) return message
  return { ...message, metadata: { ...message.metadata, snapshotId: state } }
}

/** To be opened before the run is stored; `plan` is that of the rewind that goes with it. */
export async function openRunFiles(
  session: Session,
  plan: FilePlan | null,
  workspace: Workspace,
): Promise<RunFiles> {
  let state = plan?.after ?? (await workspace.capture(session))

  return {
    noted: (trigger) =>
      trigger.type === 'message' ? { ...trigger, message: sentIn(state, trigger.message) } : trigger,

    async begin() {
      if (plan === null || plan.paths.length === 0) return
      const moved = await workspace.restoreFiles(session, plan)
      // What could not be moved is no work of this run.
      state = await workspace.capture(session)
      if (!moved) throw new AppError('INTERNAL', NOT_MOVED)
    },

    async end() {
      const span = await workspace.spanSince(session, state)
      return span === null ? {} : { workspace: span }
    },
  }
}

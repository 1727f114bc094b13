import { AppError } from '../../domain/errors.ts'
import type { MetadataPatch } from '../../domain/message.ts'
import type { Session } from '../../domain/session.ts'
import type { NewMessage, RunTrigger } from '../../ports/index.ts'
import type { FilePlan, Workspace } from './workspace.ts'

/** The workspace's files during one run. */
export type RunFiles = {
  /** The trigger, with the snapshot at its sending in its message's metadata. */
  noted(trigger: RunTrigger): RunTrigger
  /** Restores the files of the run's rewind. `INTERNAL` when not all of them could be restored. */
  begin(): Promise<void>
  /** The reply's metadata about the files that the run has changed. */
  end(): Promise<MetadataPatch>
}

const NOT_MOVED =
  'Not all files of the workspace could be restored, so the model was not asked. Taking the rewind back is safe.'

/** The message with the snapshot at its sending in its metadata. */
export function sentIn(state: string | null, message: NewMessage): NewMessage {
  if (state === null) return message
  return { ...message, metadata: { ...message.metadata, snapshotId: state } }
}

/**
 * To be opened before the run is stored; `plan` is that of the rewind that goes with it, `before` the state in which a run
 * that has waited began.
 */
export async function openRunFiles(
  session: Session,
  plan: FilePlan | null,
  workspace: Workspace,
  before?: string,
): Promise<RunFiles> {
  let state = plan?.after ?? before ?? (await workspace.capture(session))

  return {
    noted: (trigger) =>
      trigger.type === 'message' ? { ...trigger, message: sentIn(state, trigger.message) } : trigger,

    async begin() {
      if (plan === null || plan.paths.length === 0) return
      const moved = await workspace.restoreFiles(session, plan)
      // A file that could not be restored is not a change of this run.
      state = await workspace.capture(session)
      if (!moved) throw new AppError('INTERNAL', NOT_MOVED)
    },

    async end() {
      const span = await workspace.spanSince(session, state)
      return span === null ? {} : { workspace: span }
    },
  }
}

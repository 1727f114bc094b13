import { AppError } from '../../domain/errors.ts'
import type { MetadataPatch } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { NewMessage, RunTrigger } from '../../ports/index.ts'
import type { FilePlan, Workspace } from './workspace.ts'

/** The workspace's files during one run. */
export type RunFiles = {
  /** The trigger, with the snapshot at its sending in its message's metadata where that is known already. */
  noted(trigger: RunTrigger): RunTrigger
  /** Restores the files of the run's rewind. `INTERNAL` when not all of them could be restored. */
  begin(): Promise<void>
  /** Calls `note` with the snapshot that `noted` did not have, once it is captured and before `end` resolves. */
  whenCaptured(note: (snapshotId: string) => void): void
  /** To be called before anything that may change files: resolves once the state before it is captured. */
  beforeChange(): Promise<void>
  /** The reply's metadata about the files that the run has changed; a run without `beforeChange` has changed none. */
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
 * To be opened before the run is stored, which need not wait for the state of the files. `root`: the session's folder. `plan`: that of
 * the rewind that goes with it. `before`: the state in which a run that has waited began.
 */
export function openRunFiles(
  session: Session,
  workspace: Workspace,
  { root, plan, before }: { root: Promise<string | null>; plan: FilePlan | null; before: string | undefined },
): RunFiles {
  const known = plan?.after ?? before ?? null
  let state = known === null ? workspace.capture(session, root) : Promise.resolve(known)
  let noting: Promise<void> = Promise.resolve()
  let mayHaveChanged = false

  return {
    noted: (trigger) =>
      trigger.type === 'message' ? { ...trigger, message: sentIn(known, trigger.message) } : trigger,

    async begin() {
      if (plan === null || plan.paths.length === 0) return
      const moved = await workspace.restoreFiles(session, plan)
      // A file that could not be restored is not a change of this run.
      state = workspace.capture(session)
      await state
      if (!moved) throw new AppError('INTERNAL', NOT_MOVED)
    },

    whenCaptured(note) {
      if (known !== null) return
      noting = state.then((found) => {
        if (found !== null) note(found)
      })
    },

    async beforeChange() {
      mayHaveChanged = true
      await state
    },

    async end() {
      await noting
      const span = mayHaveChanged ? await workspace.spanSince(session, await state) : null
      return span === null ? {} : { workspace: span }
    },
  }
}

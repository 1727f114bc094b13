import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session/session.ts'
import type { FilePlan } from '../history/files/plan-restore.ts'
import type { Workspace } from '../history/files/workspace.ts'
import { workspaceOf } from '../history/files/workspace-of.ts'
import { type Guidance, type GuidancePorts, readGuidance } from '../workspace/guidance.ts'
import type { Agent, AgentLookup } from './agent.ts'

/** Git status of a workspace in a few lines, or null outside a repository. Does not reject. */
export type ReadGitStatus = (root: string) => Promise<string | null>

/** What a turn reads of its workspace. */
export type TurnReads = {
  /** Restores the files of the turn's rewind. `FILES_PENDING` when not all of them could be restored. */
  restoreFiles(): Promise<void>
  /** Where it works, and what files bring to it, for its system prompt and tools. */
  place(): Promise<TurnPlace>
  /** The agents that it may start. */
  subagents(): Promise<readonly Agent[]>
}

type TurnPlace = { workspaceRoot: string | null; gitStatus: string | null; guidance: Guidance }

/**
 * Begins to read what a turn needs of its workspace, which is resolved once, while the turn is being stored. A turn that moves files
 * before it asks the model reads its place after that. `plan`: that of the turn's rewind.
 */
export function readAhead(
  session: Session,
  { plan }: { plan: FilePlan | null },
  ports: GuidancePorts & Pick<AgentLookup, 'subagentsIn'> & { workspace: Workspace },
  { gitStatus }: { gitStatus: ReadGitStatus },
): TurnReads {
  const root = workspaceOf(session, ports.workspaces)
  const readPlace = async () => {
    const workspaceRoot = await root
    const [git, guidance] = await Promise.all([
      workspaceRoot === null ? null : gitStatus(workspaceRoot),
      readGuidance(workspaceRoot, ports),
    ])
    return { workspaceRoot, gitStatus: git, guidance }
  }
  const movesFiles = plan !== null && plan.rows.length > 0
  return {
    async restoreFiles() {
      if (!movesFiles) return
      const restored = await ports.workspace.restore(session.id, plan)
      if (restored?.failed) throw new AppError('FILES_PENDING', NOT_RESTORED)
    },
    place: movesFiles ? readPlace : begun(readPlace),
    subagents: begun(() => ports.subagentsIn(session, root)),
  }
}

const NOT_RESTORED =
  'Not all files of the workspace could be restored, so the model was not asked. Taking the rewind back is safe.'

/** Starts work whose failure rejects where its result is awaited, and nowhere else. */
function begun<T>(work: () => Promise<T>): () => Promise<T> {
  const result = work()
  result.catch(() => undefined)
  return () => result
}

import type { Session } from '../domain/session/session.ts'
import { openRunFiles, type RunFiles } from '../history/files/run-files.ts'
import type { FilePlan, Workspace } from '../history/files/workspace.ts'
import { workspaceOf } from '../history/files/workspace-of.ts'
import { type Guidance, type GuidancePorts, readGuidance } from '../workspace/guidance.ts'
import type { Agent, AgentLookup } from './agent.ts'

/** Git status of a workspace in a few lines, or null outside a repository. Does not reject. */
export type ReadGitStatus = (root: string) => Promise<string | null>

/** What a turn reads of its workspace. */
export type TurnReads = {
  files: RunFiles
  /** Where it works, and what files bring to it, for its system prompt and tools. */
  place(): Promise<TurnPlace>
  /** The agents that it may start. */
  subagents(): Promise<readonly Agent[]>
}

type TurnPlace = { workspaceRoot: string | null; gitStatus: string | null; guidance: Guidance }

/**
 * Begins to read what a turn needs of its workspace, which is resolved once, while the turn is being stored. A turn that moves files
 * before it asks the model reads its place after that. `plan`: that of the turn's rewind. `before`: the state of the files in which a
 * turn that has waited began.
 */
export function readAhead(
  session: Session,
  { plan, before }: { plan: FilePlan | null; before?: string | undefined },
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
  const movesFiles = plan !== null && plan.paths.length > 0
  return {
    files: openRunFiles(session, ports.workspace, { root, plan, before }),
    place: movesFiles ? readPlace : begun(readPlace),
    subagents: begun(() => ports.subagentsIn(session, root)),
  }
}

/** Starts work whose failure rejects where its result is awaited, and nowhere else. */
function begun<T>(work: () => Promise<T>): () => Promise<T> {
  const result = work()
  result.catch(() => undefined)
  return () => result
}

import { AppError } from '../domain/errors.ts'
import { DEFAULT_AGENT_ID, type Session } from '../domain/session/session.ts'
import type { CorePorts } from '../history/core-ports.ts'
import { workspaceOf } from '../history/files/workspace-of.ts'
import type { Agent } from '../run/agent.ts'
import { withoutFolder } from '../tool/without-folder.ts'
import type { AgentFile } from '../workspace/agent-file.ts'
import { readAgentFiles, type SourcePorts } from '../workspace/guidance.ts'
import type { Trust } from '../workspace/trust.ts'
import { toAgent } from './file-agents.ts'

export type AgentRegistry = {
  /**
   * The agent of this id for a session in this folder: a built-in one, else one of a file. `INVALID_INPUT` of field `agent` when there is
   * none, or when it comes from a repository and nobody has consented to it. Without a folder it has no tool that works in one.
   */
  agentOf(id: string | undefined, session: Pick<Session, 'workspaceRoot'>): Promise<Agent>
  /**
   * The agents that may be started as subagents in this folder: built-in ones, then those of files that are allowed. Without a folder
   * those that only work in one are left out. `root`: the folder, where it is resolved already.
   */
  subagentsIn(session: Pick<Session, 'workspaceRoot'>, root?: Promise<string | null>): Promise<Agent[]>
}

/** The agents of this host and of files. Files are read at each use, so a change counts from the next turn on. */
export function createAgentRegistry(
  builtIn: ReadonlyMap<string, Agent>,
  trust: Trust,
  ports: CorePorts & SourcePorts,
): AgentRegistry {
  async function ofFile(id: string, session: Pick<Session, 'workspaceRoot'>): Promise<Agent> {
    const { agents } = await readAgentFiles(await workspaceOf(session, ports.workspaces), ports)
    const file = agents.find((agent) => agent.id === id)
    const base = builtIn.get(DEFAULT_AGENT_ID)
    if (file === undefined || base === undefined) throw unknownAgent(`There is no agent "${id}".`)
    if (file.source === 'project' && (await trust.trusted([trustItem(file)])).length === 0)
      throw unknownAgent(`The agent "${id}" comes from the repository: allow it in the settings first.`)
    return toAgent(file, base)
  }

  /** Those of a repository only with a person's consent. */
  async function allowed(files: readonly AgentFile[]): Promise<AgentFile[]> {
    const kept = await Promise.all(
      files.map(
        async (file) => file.source !== 'project' || (await trust.trusted([trustItem(file)])).length > 0,
      ),
    )
    return files.filter((_, index) => kept[index])
  }

  return {
    async subagentsIn(session, root = workspaceOf(session, ports.workspaces)) {
      const { agents } = await readAgentFiles(await root, ports)
      const base = builtIn.get(DEFAULT_AGENT_ID)
      const files = agents.filter(({ id, mode }) => mode !== 'primary' && !builtIn.has(id))
      const own = [...builtIn.values()].filter(({ mode }) => mode !== 'primary')
      const all =
        base === undefined ? own : [...own, ...(await allowed(files)).map((file) => toAgent(file, base))]
      return all.flatMap((agent) => {
        const placed = inPlace(agent, session)
        const canAct = placed.tools.some((tool) => tool.canAct === undefined)
        return canAct || agent.tools.length === 0 ? placed : []
      })
    },
    async agentOf(id, session) {
      const known = id === undefined ? undefined : builtIn.get(id)
      return inPlace(known ?? (await ofFile(id ?? '', session)), session)
    },
  }
}

/** The agent as it is in a session: without a folder its tools are those that need none. */
function inPlace(agent: Agent, { workspaceRoot }: Pick<Session, 'workspaceRoot'>): Agent {
  return workspaceRoot === null ? { ...agent, tools: withoutFolder(agent.tools) } : agent
}

/** What a person consents to: the whole file. */
export function trustItem({ root, path, content }: AgentFile) {
  return { kind: 'agent', root, path, content } as const
}

function unknownAgent(message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field: 'agent' })
}

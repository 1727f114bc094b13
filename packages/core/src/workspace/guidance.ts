import type { WorkspaceFiles, Workspaces } from '../ports/index.ts'
import { type AgentFile, toAgentFile } from './agent-file.ts'
import { type Command, toCommands } from './commands.ts'
import { type Instructions, readInstructions } from './instructions.ts'
import { readDocuments, type SourceDocument } from './read-documents.ts'
import type { SourceWarning } from './read-text.ts'
import { type BundledSkills, findSkills, type SkillList } from './skills.ts'
import { levelsOf, type SourceFolders } from './source-folders.ts'
import { foldersOf, presentFolders } from './workspace-folders.ts'

/** What files bring into a turn, as they are at its start. */
export type Guidance = { instructions: Instructions; skills: SkillList }

export type SourcePorts = { files: WorkspaceFiles; workspaces: Workspaces; sources: SourceFolders }

export type GuidancePorts = SourcePorts & { bundledSkills: BundledSkills }

/** Reads what files bring to a session that works in `root`, the real path of its workspace; null when it has none. */
export async function readGuidance(root: string | null, ports: GuidancePorts): Promise<Guidance> {
  const { files, workspaces, sources } = ports
  const levels = root === null ? [] : levelsOf(root, workspaces)
  const [instructions, skills] = await Promise.all([
    readInstructions(files, { own: sources.own, levels }),
    readSkills(root, ports),
  ])
  return { instructions, skills }
}

/** Folders of a project that hold skills, by their path in each of its levels. */
const SKILL_FOLDERS = ['.agents/skills', '.claude/skills']

/** Finds the skills of a session that works in `root`. */
export async function readSkills(
  root: string | null,
  { files, workspaces, sources, bundledSkills }: GuidancePorts,
): Promise<SkillList> {
  const levels = root === null ? [] : levelsOf(root, workspaces)
  const folders = foldersOf('skills', SKILL_FOLDERS, { levels, sources })
  return await findSkills(files, await presentFolders(files, folders), bundledSkills)
}

const AGENT_FOLDERS = ['.agents/agents', '.claude/agents', '.opencode/agent', '.opencode/agents']

export type AgentFileList = { agents: readonly AgentFile[]; warnings: readonly SourceWarning[] }

/** Reads the agents of files for a session that works in `root`. Those of the project count only once a person has consented. */
export async function readAgentFiles(root: string | null, ports: SourcePorts): Promise<AgentFileList> {
  const warnings: SourceWarning[] = []
  const documents = await documentsOf('agents', AGENT_FOLDERS, root, ports, warnings)
  const agents = documents.flatMap((document) => {
    const { agent, warnings: texts } = toAgentFile(document)
    warnings.push(...texts.map((text) => ({ path: document.path, text })))
    return agent === null ? [] : [agent]
  })
  return { agents, warnings }
}

const COMMAND_FOLDERS = ['.agents/commands', '.claude/commands']

export type CommandList = { commands: readonly Command[]; warnings: readonly SourceWarning[] }

/** Reads the commands of files for a session that works in `root`. */
export async function readCommands(root: string | null, ports: SourcePorts): Promise<CommandList> {
  const warnings: SourceWarning[] = []
  const documents = await documentsOf('commands', COMMAND_FOLDERS, root, ports, warnings)
  return { commands: toCommands(documents, warnings), warnings }
}

async function documentsOf(
  kind: 'agents' | 'commands',
  parents: readonly string[],
  root: string | null,
  { files, workspaces, sources }: SourcePorts,
  warnings: SourceWarning[],
): Promise<SourceDocument[]> {
  const levels = root === null ? [] : levelsOf(root, workspaces)
  const folders = foldersOf(kind, parents, { levels, sources })
  return await readDocuments(files, await presentFolders(files, folders), warnings)
}

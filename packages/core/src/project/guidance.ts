import type { WorkspaceFiles, Workspaces } from '../ports/index.ts'
import { type Instructions, readInstructions } from './instructions.ts'
import { foldersOf, withoutLinks } from './project-folders.ts'
import { findSkills, type SkillList } from './skills.ts'
import { levelsOf, type SourceFolders } from './source-folders.ts'

/** What files bring into a turn, as they are at its start. */
export type Guidance = { instructions: Instructions; skills: SkillList }

export type GuidancePorts = { files: WorkspaceFiles; workspaces: Workspaces; sources: SourceFolders }

/** Reads what files bring to a session that works in `root`, the real path of its workspace; null when it has none. */
export async function readGuidance(
  root: string | null,
  { files, workspaces, sources }: GuidancePorts,
): Promise<Guidance> {
  const levels = root === null ? [] : levelsOf(root, workspaces)
  const [instructions, skills] = await Promise.all([
    readInstructions(files, { own: sources.own, levels }),
    readSkills(root, { files, workspaces, sources }),
  ])
  return { instructions, skills }
}

/** Folders of a project that hold skills, by their path in each of its levels. */
const SKILL_FOLDERS = ['.agents/skills', '.claude/skills']

/** Finds the skills of a session that works in `root`. */
export async function readSkills(
  root: string | null,
  { files, workspaces, sources }: GuidancePorts,
): Promise<SkillList> {
  const levels = root === null ? [] : levelsOf(root, workspaces)
  const folders = foldersOf('skills', SKILL_FOLDERS, { levels, sources })
  return await findSkills(files, await withoutLinks(files, folders))
}

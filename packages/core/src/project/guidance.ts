import type { WorkspaceFiles, Workspaces } from '../ports/index.ts'
import { type Instructions, readInstructions } from './instructions.ts'
import { levelsOf, type SourceFolders } from './source-folders.ts'

/** What files bring into a turn, as they are at its start. */
export type Guidance = { instructions: Instructions }

export type GuidancePorts = { files: WorkspaceFiles; workspaces: Workspaces; sources: SourceFolders }

/** Reads what files bring to a session that works in `root`, the real path of its workspace; null when it has none. */
export async function readGuidance(
  root: string | null,
  { files, workspaces, sources }: GuidancePorts,
): Promise<Guidance> {
  const levels = root === null ? [] : levelsOf(root, workspaces)
  return { instructions: await readInstructions(files, { own: sources.own, levels }) }
}

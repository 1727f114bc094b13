import type { CompactionSettings } from '../history/compaction/compaction-config.ts'
import type {
  Clock,
  LiveStreams,
  Logger,
  Models,
  SessionEvents,
  Snapshots,
  Store,
  WorkspaceFiles,
  Workspaces,
} from '../ports/index.ts'
import type { RunPolicy } from '../run/execute-run.ts'
import type { AgentOverrides } from './agents.ts'

/** What the core stands on. */
export type CorePorts = {
  store: Store
  live: LiveStreams
  events: SessionEvents
  models: Models
  clock: Clock
  logger: Logger
  files: WorkspaceFiles
  workspaces: Workspaces
  /** Without it, a rewind leaves the files of the workspace as they are. */
  snapshots?: Snapshots
  /** A number in [0, 1) for retry jitter. */
  random(): number
}

export type CoreSettings = {
  /** The machine, for the system prompt. */
  platform: string
  /** Git status of a workspace as it now stands, in a few lines, or null outside a repository. Does not reject. */
  gitStatus(root: string): Promise<string | null>
  /** Overrides of what the assistant may use and how far it may go. */
  agent?: AgentOverrides
  /** How room is made in context windows; agents and sessions may have it otherwise. */
  compaction?: CompactionSettings
  /** Overrides of how runs are carried out. */
  runs?: Partial<RunPolicy>
}

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

/** The ports that the core runs on. */
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

import type {
  Blobs,
  Clock,
  Hook,
  LiveStreams,
  Logger,
  McpServers,
  Models,
  PdfReader,
  Processes,
  Providers,
  Sandbox,
  SessionEvents,
  Snapshots,
  Store,
  Vault,
  WebPages,
  WebSearch,
  WorkspaceFiles,
  Workspaces,
} from '../ports/index.ts'

/** The ports that the core runs on. */
export type CorePorts = {
  store: Store
  blobs: Blobs
  live: LiveStreams
  events: SessionEvents
  models: Models
  providers: Providers
  vault: Vault
  clock: Clock
  logger: Logger
  files: WorkspaceFiles
  workspaces: Workspaces
  /** Without it, a rewind leaves the files of the workspace as they are. */
  snapshots?: Snapshots
  /** Without it, the host reads no pages of the web. */
  web?: WebPages
  /** Without it, the host reads no PDFs. */
  pdf?: PdfReader
  /** Without it, the host has no MCP servers. */
  mcp?: McpServers
  /** Without it, models cannot search the web. */
  webSearch?: WebSearch
  /** Without both, the host runs no commands. */
  processes?: Processes
  sandbox?: Sandbox
  /** In declared order; without it there are none. */
  hooks?: readonly Hook[]
  /** A number in [0, 1) for retry jitter. */
  random(): number
}

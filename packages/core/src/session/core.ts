import type { Clock, LiveStreams, Logger, Models, SessionEvents, Store, WorkspaceFiles } from '../ports/index.ts'
import type { SessionService } from './service.ts'

/** What the core stands on. */
export type CorePorts = {
  store: Store
  live: LiveStreams
  events: SessionEvents
  models: Models
  clock: Clock
  logger: Logger
  files: WorkspaceFiles
  /** A number in [0, 1) for retry jitter. */
  random(): number
}

export type CoreSettings = {
  /** Where a session's work happens when it names no place of its own. */
  workspaceRoot: string
  /** Facts of the machine for the system prompt. */
  platform: string
  /** Git status of a workspace in a few lines, or null outside a repository. */
  gitStatus(root: string): Promise<string | null>
}

export interface Core {
  readonly sessions: SessionService
  /** Finishes what a dead host left open. Call once, before the first request. */
  recover(): Promise<void>
  /** Takes no more runs, lets those that are on finish within `graceMs`, stops the rest, and flushes. */
  shutdown(graceMs: number): Promise<void>
  /** Runs that are on. */
  readonly activeRuns: number
}

export declare function createCore(ports: CorePorts, settings: CoreSettings): Core

import type { SessionService } from '@palimpsest/core'
import type { SandboxInfo } from '@palimpsest/core/ports'

/** The context of every procedure. */
export type CallContext = {
  sessions: SessionService
  systemInfo(): SystemInfo
  /** Checks rights and rate again: a socket stays open for days. Fails with `UNAUTHORIZED` or `RATE_LIMITED`. */
  admit(): Promise<void>
  /** Whether an origin is one of this server's names, as far as the caller may name it. */
  isOwnAddress(origin: string): boolean
  /** The connection that the call's answers are written to. */
  outlet: Outlet
}

/** Information about the server. */
export type SystemInfo = {
  name: string
  version: string
  /** The version of Node. */
  runtime: string
  /** Epoch milliseconds. */
  startedAt: number
  /** Runs in progress. */
  activeRuns: number
  /** Whether rewinds can restore files; `session.get` says whether those of a session do. */
  snapshots: boolean
  /** Real paths of the folders that sessions may work in. */
  workspaces: string[]
  /** The one of sessions that name none; null: these have no folder. */
  defaultWorkspace: string | null
  /** The one of the demo model's sessions that name none; null where there is a default. */
  demoWorkspace: string | null
  /** Whether the operator has set up tools that ask and need no folder: MCP servers, or a search of the web. */
  asksWithoutFolder: boolean
  /** What keeps commands from the rest of the machine, and why there is nothing better. */
  sandbox: SandboxInfo
  limits: Record<string, number>
  /** The environment variables and file that add a real model. */
  setup: { variables: string[]; configFile: string }
}

/** The connection that answers are written to. Streams wait for it, so that the cost of a slow reader is bounded. */
export interface Outlet {
  /** Claims one of the connection's subscriptions until disposed; `RATE_LIMITED` when all are in use. */
  claim(): Disposable
  /** Resolves when the connection is writable, or once it is closed. */
  writable(): Promise<void>
}

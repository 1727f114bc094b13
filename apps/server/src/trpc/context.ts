import type { SessionService } from '@palimpsest/core'

/** What every procedure is given. */
export type CallContext = {
  sessions: SessionService
  systemInfo(): SystemInfo
  /** Checks rights and rate once more: a socket stays open for days. Fails with `UNAUTHORIZED` or `RATE_LIMITED`. */
  admit(): Promise<void>
  /** Where the call's answers go. */
  outlet: Outlet
}

/** What the server tells of itself. */
export type SystemInfo = {
  name: string
  version: string
  /** Of Node. */
  runtime: string
  /** Epoch milliseconds. */
  startedAt: number
  /** Runs that are on. */
  activeRuns: number
  /** Whether a rewind can restore files of the workspace. */
  snapshots: boolean
  /** Real paths of the folders that sessions may work in; the first is that of sessions that name none. */
  workspaces: string[]
  limits: Record<string, number>
  /** The environment variables and file by which a real model is added. */
  setup: { variables: string[]; configFile: string }
}

/** Where answers are written to. Streams wait for it, so that what a slow reader costs is bounded. */
export interface Outlet {
  /** Claims one of the connection's subscriptions until disposed; `RATE_LIMITED` when all are taken. */
  claim(): Disposable
  /** Resolves when the connection takes more, or once it is gone. */
  writable(): Promise<void>
}

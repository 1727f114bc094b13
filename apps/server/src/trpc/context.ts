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

/** The way answers take. Streams wait for it, so that a slow reader costs no memory. */
export interface Outlet {
  /** Claims one of the connection's subscriptions until disposed; `RATE_LIMITED` when all are taken. */
  claim(): Disposable
  /** Resolves when there is room for more, or once the connection is gone. */
  room(): Promise<void>
}

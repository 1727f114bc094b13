import type { CommandAccess, ProcessExit, Processes, RunningProcess, SandboxInfo } from '../ports/index.ts'

/** A command in the background. */
export type BackgroundCommand = {
  id: string
  sessionId: string
  command: string
  startedAt: number
  /** Null while it runs. */
  exit: ProcessExit | null
}

/** What a background command has written: `text` since `from`, of `length` characters in all. */
export type BackgroundOutput = { command: BackgroundCommand; text: string; from: number; length: number }

/** Where a command runs. */
export type ShellCommand = { line: string; root: string; sessionId: string; access: CommandAccess }

/** Runs command lines, in the sandbox where there is one. */
export interface Shell {
  readonly sandbox: SandboxInfo
  inspect: Processes['inspect']
  /** Starts a command; null when too many run. */
  start(command: ShellCommand): RunningProcess | null
  /** Starts a command that runs on after its call; null when too many run. */
  startInBackground(command: ShellCommand): BackgroundCommand | null
  /** The background commands of a session, or of all: the last started first. */
  list(sessionId: string | null): BackgroundCommand[]
  /** What a background command has written since `from`; null when the session has none with this id. */
  read(sessionId: string, id: string, from: number): BackgroundOutput | null
  /** Resolves once a background command, and everything that it started, has ended. */
  ended(sessionId: string, id: string): Promise<void>
  /** Ends a background command and everything that it started. Returns whether it ran. */
  stop(sessionId: string, id: string): Promise<boolean>
  /** Ends the background commands of a session and forgets them. */
  endSession(sessionId: string): Promise<void>
  /** Ends everything. */
  end(): Promise<void>
}

/** What keeps commands from the rest of the machine; `reason` says why there is nothing better. */
export type SandboxInfo = { kind: 'bwrap' | 'srt' | 'none'; reason?: string }

/** Runs commands where they can write only in their workspace, reach no network and read no secrets of the server. */
export interface Sandbox {
  /** What the last probe found; `none` before the first one. */
  readonly info: SandboxInfo
  /** Runs a command in it to find out whether it works here. Never rejects. */
  probe(): Promise<SandboxInfo>
  /**
   * Makes a command ready that runs `argv` inside, in the workspace with the real path `root`; outside, but bounded, where there is
   * no sandbox. Rejects when that path does not lead to the same folder any more.
   */
  wrap(argv: readonly string[], place: CommandPlace): Promise<WrappedCommand>
}

/**
 * What a command may do. `read`: it reads the workspace and the programs of the system, and writes nothing. `write`: it reads what is
 * no secret, and writes in the workspace.
 */
export type CommandAccess = 'read' | 'write'

export type CommandPlace = { root: string; access: CommandAccess }

/** A command that can be started once. */
export type WrappedCommand = {
  argv: readonly string[]
  cwd: string
  /** Whether all that it starts stays below its process and ends with it. */
  isContained: boolean
  /** Open descriptors that it inherits as 3, 4, …; open until `release`. */
  descriptors: readonly number[]
  /**
   * To be called when it and everything that it started is gone. Moves aside what it made that other programs would start on their
   * own; returns a sentence about each.
   */
  release(): Promise<string[]>
}

export type ProcessCommand = {
  wrap(): Promise<WrappedCommand>
  /** Variables beside the few that every command gets. */
  variables: Readonly<Record<string, string>>
  /** Unique. Everything that the command starts carries it, and is found by it. */
  mark: string
}

/** How a process ended: with a code, or by a signal. */
export type ProcessExit = { code: number | null; signal: string | null }

/** A running command: a process group of its own, without input. */
export interface RunningProcess {
  /** Calls `listener` with its output, errors included, as it comes. */
  onOutput(listener: (text: string) => void): void
  /** Resolves once the command has exited and its output is read; what it left running does not delay it. Rejects when it could not be started. */
  readonly exited: Promise<ProcessExit>
  /** The file that holds all of its output, once it is longer than `OUTPUT_LIMITS.head`. */
  readonly outputPath: string | null
  /** The bytes of that file; null when there is none, or they are more than `limit`. */
  readOutput(limit: number): Promise<Uint8Array | null>
  /** Removes that file. */
  forgetOutput(): Promise<void>
  /** Keeps that file for as long as the blob with this hash, which has its beginning, is stored. */
  keepOutput(hash: string): Promise<void>
  /** Ends the command and everything that it started: asks it to end, and kills it 0.8 s later. Resolves when all are gone. */
  end(): Promise<void>
  /** Why it was ended, and what it made that was moved aside, a sentence each; complete once `end` has resolved. */
  readonly remarks: readonly string[]
}

export interface Processes {
  start(command: ProcessCommand): RunningProcess
  /**
   * Ends what an earlier process of this server left running, and moves aside what it made that other programs would start on their
   * own. To be called before anything reads a workspace; returns a sentence about each.
   */
  endOrphans(): Promise<string[]>
  /**
   * Removes the files of outputs whose blobs are not among those that `stored` returns of their hashes, and those that were kept with no
   * blob and are older than a day.
   */
  sweepOutputs(stored: (hashes: string[]) => Promise<string[]>): Promise<void>
  /** Facts about a workspace on which the decision about a command depends. */
  inspect(root: string, reach: WorkspaceReach): Promise<WorkspaceFacts>
}

/** What a command reaches on the disk. Paths are absolute or relative to the root. */
export type WorkspaceReach = {
  /** Paths that it names. */
  reads: readonly string[]
  /** Patterns that it expands, with `*`, `?` and `[`. */
  globs: readonly string[]
  /** Those of them that become options where a file has such a name. */
  bare: readonly string[]
  /** Words with a pattern that has to match no name. */
  texts: readonly string[]
  /** Folders in which it follows every link. */
  trees: readonly string[]
  /** Folders of which it reads all that is below, without following links; '' is the root. */
  walks: readonly string[]
  /** Folders in which it starts git; '' is the root. */
  gitFolders: readonly string[]
  /** Folders in which git prints contents of files that it has stored; '' is the root. */
  gitPrints: readonly string[]
}

export type WorkspaceFacts = {
  /** The first of the paths and patterns that leads outside of the workspace, or to the server's own files; null when none does. */
  outside: string | null
  /** Whether that may be one of the server's own files, which the command would read. */
  isOwn: boolean
  /** What the globs match, at most 200 paths; empty when they match more. */
  matched: readonly string[]
  /** The first of the bare patterns that matches a name with a leading dash, or of the texts that matches a name; null when none does. */
  misread: string | null
  /** Whether settings of the repositories in which git is started name programs that it starts to read them. */
  gitStartsPrograms: boolean
  /** The first of the server's own files that a repository of which git prints contents tracks, by its path there; null without one. */
  tracked: string | null
  /** A file of the server that has a second name, a hard link, which may be among what is read; null when none has. */
  linked: string | null
}

/** Bounds of the output of one command. */
export const OUTPUT_LIMITS = {
  /** Characters that its result holds. */
  head: 200_000,
  /** Characters of the end that are shown while it runs. */
  tail: 8_000,
  /** Bytes after which it is ended. */
  total: 100_000_000,
} as const

/** The folders that the operator allows sessions to work in. */
export interface Workspaces {
  /** Real paths that a person may choose from. */
  readonly folders: readonly string[]
  /** Real path of the folder of sessions that name none at their creation; null: these have no folder. */
  readonly defaultFolder: string | null
  /** Where the demo model works in a session that names no folder and has no default one; null on a host without such a folder. */
  readonly demo: DemoFolder | null
  /**
   * Returns the real path of `path`, an absolute path, when it is one of the folders, that of the demo, or a folder inside one.
   * Returns null for everything else, also for what does not exist. Links are followed first, at each call.
   */
  resolve(path: string): Promise<string | null>
}

/** A folder that nothing else uses. Files of the folders around it are none of its project. */
export interface DemoFolder {
  /** Its real path, also before it exists. */
  readonly root: string
  /** Makes the folder unless it is there. */
  make(): Promise<void>
}

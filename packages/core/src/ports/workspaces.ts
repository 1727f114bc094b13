/** The folders that the operator allows sessions to work in. */
export interface Workspaces {
  /** Real paths; the first is the workspace of sessions that name none. */
  readonly folders: readonly string[]
  /**
   * Returns the real path of `path`, an absolute path, when it is one of the folders or a folder inside one. Returns null
   * for everything else, also for what does not exist. Links are followed first, at each call.
   */
  resolve(path: string): Promise<string | null>
}

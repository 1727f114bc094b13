/** Read access to the files of a workspace. Paths are relative to its root; nothing outside it is reachable. */
export interface WorkspaceFiles {
  /**
   * The text of a file from character `offset`, at most `limit` characters.
   * Fails with `INVALID_INPUT` for what is missing, outside the root, a folder or not text.
   */
  readText(
    root: string,
    path: string,
    range: { offset: number; limit: number },
  ): Promise<{ text: string; totalCharacters: number }>
}

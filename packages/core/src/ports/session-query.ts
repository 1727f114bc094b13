/** Which sessions a list has. */
export type SessionQuery = {
  /** 1 to 200. */
  limit: number
  cursor?: string
  /** Words that the title or a message's text holds; the last one may be a beginning. */
  search?: string
  /** false: only what is not archived. true: only what is. Not looked at in the bin. */
  archived: boolean
  /** true: only what is in the bin, the last deleted first. Otherwise nothing of it. */
  deleted?: boolean
  /** false leaves sidecars out. */
  ephemeral: boolean
  /** The children of a session. Subagents are only among those. */
  parentId?: string
  agent?: string
  workspaceRoot?: string
}

/** A chat that exists, or the folder of a new one, null for none; without both keys the server's default. */
export type CommandPlace = { sessionId?: string; workspaceRoot?: string | null }

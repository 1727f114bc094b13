/** Whether an MCP server is connected. `off`: no turn has needed it so far. */
export type McpState =
  | { type: 'off' }
  | { type: 'connecting' }
  | { type: 'ready' }
  /** `reason` is in the server's words; `retryAt`, in epoch milliseconds, is when the next attempt begins. */
  | { type: 'failed'; reason: string; retryAt: number }

/** A tool of a server as the model gets it. */
export type McpToolView = { id: string; name: string; description: string }

/** Whether a person has signed in at a server. `needed`: it refuses requests until one does. */
export type McpSignIn = 'none' | 'needed' | 'done'

/** A configured MCP server as clients see it. Names and descriptions of tools are the server's. */
export type McpServerView = {
  name: string
  kind: 'stdio' | 'http'
  state: McpState
  tools: McpToolView[]
  /** Tools beyond the limits, which nobody can call. */
  leftOut: number
  /** Tools that are not offered because of a fault in their definition. */
  refused: { name: string; reason: string }[]
  /** Null for a server where nobody can sign in. */
  signIn: McpSignIn | null
  /** The scope that calls were refused for and that a person can sign in for, `''` when the server names none; else null. */
  wider: string | null
}

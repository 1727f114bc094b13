/** Whether an MCP server is connected. `off`: no turn has needed it so far. */
export type McpState =
  | { type: 'off' }
  | { type: 'connecting' }
  | { type: 'ready' }
  /** `reason` is in the server's words; `retryAt`, in epoch milliseconds, is when the next attempt begins. */
  | { type: 'failed'; reason: string; retryAt: number }

/** A tool of a server as the model gets it. */
export type McpToolView = { id: string; name: string; description: string; hints: McpHint[] }

/** What a server says that a tool does; nothing makes it keep to that. */
export const MCP_HINTS = ['read-only', 'destructive', 'open-world'] as const
export type McpHint = (typeof MCP_HINTS)[number]

/** 1 to 32 letters, digits and hyphens. No underscore: in the id of a tool it ends the name of its server. */
export const MCP_NAME = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,31}$/

/** How a person reaches a server: a program of the host with its variables, or an address with its headers. */
export type McpDefinition =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'http'; url: string; headers: Record<string, string> }

/** What came of a first connection. `signIn`: the server asks for a sign-in, which it is saved for. */
export type McpTest = { ok: true; tools: McpToolView[] } | { ok: false; message: string; signIn: boolean }

/** Whether a person has signed in at a server. `needed`: it refuses requests until one does. */
export type McpSignIn = 'none' | 'needed' | 'done'

/** A configured MCP server as clients see it. Names and descriptions of tools are the server's. */
export type McpServerView = {
  name: string
  kind: 'stdio' | 'http'
  /** Only servers of `settings` can be removed in the page. */
  source: 'file' | 'settings'
  /** Of one that a person entered: its program without arguments, or its address without a query; else null. */
  address: string | null
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

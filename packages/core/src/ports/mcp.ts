import type { Json, JsonObject } from '../domain/json/json.ts'
import type { FormValue } from '../domain/permission/server-form.ts'
import type { McpDefinition, McpHint, McpSignIn } from '../domain/settings/mcp.ts'

/** Bounds of what an MCP server may send. What exceeds them is left out or cut, and reported. */
export const MCP_LIMITS = {
  /** Servers of one configuration. */
  servers: 50,
  /** Tools of one server; further ones are left out. */
  tools: 200,
  /** Pages of one list of tools. */
  pages: 20,
  /** Bytes of one list of tools. */
  listBytes: 8_000_000,
  /** Bytes of one message of a server. */
  messageBytes: 10_000_000,
  /** Bytes of the head of a longer text. */
  output: 200_000,
  /** Bytes of a result's structured content as JSON; a larger one is left out of the call's data. */
  structured: 200_000,
  /** Files of one result that are decoded; of these at most `LIMITS.filesPerMessage` are kept. */
  files: 20,
  /** Bytes of what a call that asks a person needs to go on, and characters of why it asks. */
  state: 200_000,
  reason: 2_000,
  /** Characters of an error that a server returns. */
  error: 20_000,
} as const

/** A tool as its server describes it. Nothing in it is to be trusted. */
export type McpToolInfo = {
  name: string
  title?: string
  description: string
  inputSchema: JsonObject
  hints?: McpHint[]
}

/** The tools of a server, in its order; `leftOut` counts those beyond the limits, `refused` names those with a fault. */
export type McpToolList = {
  tools: McpToolInfo[]
  leftOut: number
  refused: { name: string; reason: string }[]
}

/** A picture, a sound or another file of a result. Its name and type are the server's. */
export type McpFile = { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }

/** What a call returned: `text` within `MCP_LIMITS.output`, and all of it when it was cut. */
export type McpOutput = {
  text: string
  isError: boolean
  structured?: Json
  /** Files that the text names; none for an error. */
  files: McpFile[]
  /** All of the text; null when `text` is. */
  whole: Uint8Array | null
}

/** What a server asks a person in the middle of a call. Its schema is not checked. */
export type McpAsked = {
  elicitation: { message: string; schema: unknown }
  /** What `call` needs to go on; at most `MCP_LIMITS.state` bytes as JSON, so that it can be stored. */
  state: Json
}

/** The reply of a person to what a server asked. */
export type McpReply =
  | { action: 'accept'; content: Record<string, FormValue> }
  | { action: 'decline' | 'cancel' }

/** A server that answers. Failures are errors whose message may be shown to a person: in the server's words, without secrets. */
export interface McpConnection {
  tools(signal: AbortSignal): Promise<McpToolList>
  /**
   * Calls one of its tools, or goes on with a call that has asked a person. The server gets a cancellation when `signal` aborts. A server of
   * an earlier revision keeps a call that asks open: it can be continued by the same connection only, and fails in any other.
   */
  call(
    tool: McpToolInfo,
    args: object,
    signal: AbortSignal,
    resumed?: { state: Json; reply: McpReply },
  ): Promise<McpOutput | McpAsked>
  /** Ends a call that has asked a person and gets no reply. */
  abandon(state: Json): void
  /** Calls `listener` when the server reports that its tools have changed. */
  onToolsChanged(listener: () => void): void
  /** Resolves with the reason once the connection is lost or closed. Never rejects. */
  readonly closed: Promise<string>
  /** Ends the connection, and the server where this host has started it, with everything that it started. */
  close(): Promise<void>
}

/** How a server is reached: as a process of this machine, or by HTTP. */
export type McpServerInfo = {
  /** 1 to 32 letters, digits and hyphens. */
  name: string
  kind: 'stdio' | 'http'
  /** Of a server that a person entered: its program or its address, without anything that may be a secret. */
  entered?: { address: string }
  /** Milliseconds that a call may take; two minutes without it. */
  timeoutMs?: number
}

/** The sign-in of a person at servers with an address, by OAuth. Failures are errors whose message is a sentence for a person. */
export interface McpSignIns {
  /** Null for a server where nobody can sign in. */
  state(name: string): McpSignIn | null
  /** The scope that calls were refused for and that a person can sign in for, `''` when the server names none; else null. */
  widerScope(name: string): string | null
  /** Returns the address of the page where a person signs in, which leads back to `/mcp/callback` of `origin`, an address of this host. */
  begin(name: string, origin: string): Promise<string>
  /** Ends a sign-in by what the page led back with, and returns the server's name. Each sign-in ends once, within 10 minutes. */
  finish(params: URLSearchParams): Promise<string>
  /** Forgets what a sign-in has left. */
  end(name: string): Promise<void>
}

/** What a first connection to a server has brought; `signIn` when it asks for a sign-in. */
export type McpAttempted = { list: McpToolList } | { message: string; signIn: boolean }

/** The servers that persons entered. Their definitions are stored encrypted, and nothing returns them. */
export interface McpEntries {
  /** Connects once, without a trace of it. Does not reject. */
  test(name: string, definition: McpDefinition, signal: AbortSignal): Promise<McpAttempted>
  /** Stores a server, or replaces the one with its name. */
  put(name: string, definition: McpDefinition): Promise<void>
  /** Forgets a server and what a sign-in at it has left. False when there is none with this name. */
  remove(name: string): Promise<boolean>
}

/** The MCP servers that the operator has configured, then those that persons entered. */
export interface McpServers {
  /** As they are now. The object of a server is another one once its definition has changed. */
  readonly servers: readonly McpServerInfo[]
  /** Absent where none can be entered. */
  readonly entries?: McpEntries
  readonly signIns?: McpSignIns
  /** Starts or calls a server. Leaves nothing running when it fails, or when `signal` aborts. */
  connect(name: string, signal: AbortSignal): Promise<McpConnection>
}

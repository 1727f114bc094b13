import type { McpDefinition, McpServerView, McpTest } from '../domain/settings/mcp.ts'

export type PutMcpServer = { name: string; server: McpDefinition }

/** The MCP servers of the host, as surfaces call them. */
export interface McpService {
  /** The MCP servers of the configuration, in its order. */
  servers(): McpServerView[]
  /**
   * Connects once to a server that is not stored, and lists its tools. `INVALID_INPUT` with the field, as for `put`; a failure to
   * connect is part of the result, in the server's words.
   */
  test(input: PutMcpServer): Promise<McpTest>
  /** Enters a server, which turns have from then on. `INVALID_INPUT` of field `name` for one that the configuration file sets. */
  put(input: PutMcpServer): Promise<void>
  /** Removes a server that was entered, and ends it. `INVALID_INPUT` of field `name` when there is none with this name. */
  remove(name: string): Promise<void>
  /** Connects to a server anew, at once. `INVALID_INPUT` of field `name` when there is none with this name. */
  reconnect(name: string): void
  /** Begins a sign-in, as `McpSignIns.begin`. `PROVIDER_ERROR` with the reason when there is no page to sign in. */
  signIn(name: string, origin: string): Promise<string>
  /** Ends a sign-in, as `McpSignIns.finish`, and connects. `PROVIDER_ERROR` with the reason when it failed. */
  finishSignIn(params: URLSearchParams): Promise<string>
  /** Forgets a sign-in, and connects without it. */
  signOut(name: string): Promise<void>
}

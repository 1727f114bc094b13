import type { McpServerView } from '../domain/mcp.ts'

/** The MCP servers of the host, as surfaces call them. */
export interface McpService {
  /** The MCP servers of the configuration, in its order. */
  servers(): McpServerView[]
  /** Connects to a server anew, at once. `INVALID_INPUT` of field `name` when there is none with this name. */
  reconnect(name: string): void
  /** Begins a sign-in, as `McpSignIns.begin`. `PROVIDER_ERROR` with the reason when there is no page to sign in. */
  signIn(name: string, origin: string): Promise<string>
  /** Ends a sign-in, as `McpSignIns.finish`, and connects. `PROVIDER_ERROR` with the reason when it failed. */
  finishSignIn(params: URLSearchParams): Promise<string>
  /** Forgets a sign-in, and connects without it. */
  signOut(name: string): Promise<void>
}

import { AppError } from '../domain/errors.ts'
import type { McpEntries, McpServers, McpSignIns } from '../ports/index.ts'
import { type McpHub, viewsOf } from '../tool/mcp/mcp-hub.ts'
import { plainLine } from '../tool/mcp/plain-line.ts'
import { toolIds } from '../tool/mcp/tool-ids.ts'
import { checkMcpServer } from './check-mcp-server.ts'
import type { McpService } from './mcp-service.ts'

/** Characters of the reason of a failed sign-in. */
const REASON = 500

/** Milliseconds that a test may take: a package runner may download the server first. */
const TEST_MS = 60_000

/** The MCP servers of the host. */
export function createMcpControl(hub: McpHub | null, servers?: McpServers): McpService {
  function requireHub(): McpHub {
    if (hub === null)
      throw new AppError('INVALID_INPUT', 'This server has no MCP servers.', { field: 'name' })
    return hub
  }

  function signInsOf(name: string): McpSignIns {
    const signIns = servers?.signIns
    if (signIns === undefined || signIns.state(name) === null)
      throw new AppError('INVALID_INPUT', 'Nobody signs in at a server with this name.', { field: 'name' })
    return signIns
  }

  function requireEntries(): McpEntries {
    if (servers?.entries === undefined)
      throw new AppError('INVALID_INPUT', 'No MCP server can be entered here.', { field: 'name' })
    return servers.entries
  }

  return {
    servers: () => hub?.servers() ?? [],
    async test(input) {
      const entries = requireEntries()
      const definition = checkMcpServer(input, servers?.servers ?? [])
      const attempted = await entries.test(input.name, definition, AbortSignal.timeout(TEST_MS))
      if ('message' in attempted) {
        const message = plainLine(attempted.message, REASON) || 'The server could not be reached.'
        return { ok: false, message, signIn: attempted.signIn }
      }
      const { tools } = attempted.list
      const ids = toolIds(
        input.name,
        tools.map(({ name }) => name),
        new Set(),
      )
      return { ok: true, tools: viewsOf(tools, ids) }
    },
    async put(input) {
      const definition = checkMcpServer(input, servers?.servers ?? [])
      await requireEntries().put(input.name, definition)
      requireHub().reconnect(input.name)
    },
    async remove(name) {
      if (!(await requireEntries().remove(name)))
        throw new AppError('INVALID_INPUT', 'No server with this name was entered here.', { field: 'name' })
      // Ends it now, not at the next turn.
      requireHub().servers()
    },
    reconnect: (name) => requireHub().reconnect(name),
    signIn: (name, origin) => explained(signInsOf(name).begin(name, origin)),
    async finishSignIn(params) {
      if (servers?.signIns === undefined) throw new AppError('INVALID_INPUT', 'Nobody signs in here.')
      const name = await explained(servers.signIns.finish(params))
      requireHub().reconnect(name)
      return name
    },
    async signOut(name) {
      await signInsOf(name).end(name)
      requireHub().reconnect(name)
    },
  }
}

/** The work, whose failure is a sentence that a person reads. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const reason = plainLine(error instanceof Error ? error.message : '', REASON)
    throw new AppError('PROVIDER_ERROR', reason || 'The sign-in failed.', { cause: error })
  }
}

import { AppError } from '../domain/errors.ts'
import type { McpServers, McpSignIns } from '../ports/index.ts'
import type { McpHub } from '../tool/mcp/mcp-hub.ts'
import { plainLine } from '../tool/mcp/plain-line.ts'
import type { McpService } from './mcp-service.ts'

/** Characters of the reason of a failed sign-in. */
const REASON = 500

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

  return {
    servers: () => hub?.servers() ?? [],
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

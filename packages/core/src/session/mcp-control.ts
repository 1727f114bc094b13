import { AppError } from '../domain/errors.ts'
import type { McpHub } from '../tool/mcp/mcp-hub.ts'
import type { SessionService } from './service.ts'

/** The MCP servers of the host. */
export function createMcpControl(mcp: McpHub | null): SessionService['mcp'] {
  return {
    servers: () => mcp?.servers() ?? [],
    reconnect(name) {
      if (mcp === null)
        throw new AppError('INVALID_INPUT', 'This server has no MCP servers.', { field: 'name' })
      mcp.reconnect(name)
    },
  }
}

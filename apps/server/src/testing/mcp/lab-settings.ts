import { fileURLToPath } from 'node:url'
import { systemClock } from '@palimpsest/core'
import type { McpServers, McpToolInfo } from '@palimpsest/core/ports'
import { createMcpServers, type McpServerSettings } from '../../adapters/mcp/mcp-servers.ts'

const PROGRAM = fileURLToPath(new URL('./stdio-server.ts', import.meta.url))

/** The lab server as a program of this machine. */
export function labProgram(
  over: Partial<Extract<McpServerSettings, { kind: 'stdio' }>> = {},
): McpServerSettings {
  return {
    kind: 'stdio',
    name: 'lab',
    command: process.execPath,
    args: [PROGRAM],
    variables: {},
    cwd: process.cwd(),
    secrets: [],
    ...over,
  }
}

/** A program that runs a script of Node, for servers that keep to no protocol. */
export function scriptProgram(script: string, name = 'lab'): McpServerSettings {
  return labProgram({ name, args: ['-e', script] })
}

/** Servers of the host that stores in `owner`. */
export function labServers(servers: readonly McpServerSettings[], owner: string): McpServers {
  return createMcpServers({ servers, clock: systemClock, owner })
}

/** A tool of a server as far as a call needs it. */
export function toolNamed(name: string): McpToolInfo {
  return { name, description: '', inputSchema: { type: 'object' } }
}

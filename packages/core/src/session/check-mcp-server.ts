import { AppError } from '../domain/errors.ts'
import { MCP_NAME, type McpDefinition } from '../domain/settings/mcp.ts'
import { MCP_LIMITS, type McpServers } from '../ports/index.ts'
import type { PutMcpServer } from './mcp-service.ts'

/** What a variable, a header or an argument may hold: no control characters, which a process or a request cannot carry. */
const TEXT = /^[^\0\r\n]*$/
const HEADER = /^[\t\x20-\x7e\xa0-\xff]*$/

/** The server as it is stored. `INVALID_INPUT` with the field at fault. */
export function checkMcpServer(
  { name, server }: PutMcpServer,
  servers: McpServers['servers'],
): McpDefinition {
  if (!MCP_NAME.test(name)) throw invalid('name', 'A name has 1 to 32 letters, digits and hyphens.')
  const known = servers.find((one) => one.name === name)
  if (known !== undefined && known.entered === undefined)
    throw invalid('name', `The server ${name} is set by the configuration file and cannot be changed here.`)
  if (known === undefined && servers.length >= MCP_LIMITS.servers)
    throw invalid('name', `There can be at most ${MCP_LIMITS.servers} servers.`)
  return server.kind === 'stdio' ? checkProgram(server) : checkAddress(server)
}

function checkProgram(server: Extract<McpDefinition, { kind: 'stdio' }>): McpDefinition {
  const command = server.command.trim()
  if (command === '' || !TEXT.test(command))
    throw invalid('server.command', 'A command is the name or the path of a program, in one line.')
  const wrong = server.args.findIndex((argument) => argument.includes('\0'))
  if (wrong >= 0) throw invalid(`server.args.${wrong}`, 'An argument cannot hold a null character.')
  for (const [name, value] of Object.entries(server.env))
    if (value.includes('\0')) throw invalid(`server.env.${name}`, 'A variable cannot hold a null character.')
  return { ...server, command }
}

function checkAddress(server: Extract<McpDefinition, { kind: 'http' }>): McpDefinition {
  const text = server.url.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid('server.url', 'An address is an http or https URL, such as https://wiki.example/mcp.')
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalid('server.url', 'An address holds no user name, password or anchor. A key is a header.')
  for (const [name, value] of Object.entries(server.headers))
    if (!HEADER.test(value))
      throw invalid(
        `server.headers.${name}`,
        'The value of a header is one line of characters that it can carry.',
      )
  return { ...server, url: text }
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field })
}

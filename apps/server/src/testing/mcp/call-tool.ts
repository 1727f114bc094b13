import type { McpConnection, McpOutput } from '@palimpsest/core/ports'
import { toolNamed } from './lab-settings.ts'

/** A signal that never aborts. */
export const forever = () => new AbortController().signal

/** Calls a tool of a server that asks nothing. */
export async function callTool(
  connection: McpConnection,
  name: string,
  args: object = {},
  signal = forever(),
): Promise<McpOutput> {
  const output = await connection.call(toolNamed(name), args, signal)
  if ('elicitation' in output) throw new Error('The server asks.')
  return output
}

import { jsonSchema } from 'ai'
import { z } from 'zod'
import { isObject } from '../../domain/stored-keys.ts'
import type { McpToolInfo } from '../../ports/index.ts'
import { defineTool, type Tool, ToolError } from '../tool.ts'
import { wrongArgument } from './check-arguments.ts'
import { cleanSchema } from './clean-schema.ts'
import { plainLine } from './plain-line.ts'
import type { ServerLink } from './server-link.ts'

/** Characters of a description that the model gets. */
const DESCRIPTION = 2_000
/** Characters of a tool's name that a person sees. */
const NAME = 128
const TIMEOUT_MS = 120_000

/** A server's tool as one of ours. What the server says of it, read-only or not, grants nothing: each call needs a permission. */
export function toMcpTool(id: string, info: McpToolInfo, link: ServerLink): Tool {
  const { name: server, timeoutMs = TIMEOUT_MS } = link.info
  const schema = cleanSchema(info.inputSchema)
  return defineTool({
    id,
    description: describe(server, info),
    metadata: { mcp: { server, tool: plainLine(info.name, NAME) } },
    input: z.record(z.string(), z.unknown()),
    schema: jsonSchema<Record<string, unknown>>(schema, {
      validate: (value) => {
        const wrong = wrongArgument(value, schema)
        return wrong === null && isObject(value)
          ? { success: true, value }
          : { success: false, error: new ToolError(wrong ?? 'The arguments must be an object.') }
      },
    }),
    requires: () => [{ permission: 'mcp', pattern: id, reason: `This calls the MCP server ${server}.` }],
    widerPatterns: () => [`${server}_*`],
    timeoutMs: () => timeoutMs,
    async execute(args, { signal }) {
      const { text, isError, structured, truncated, outputPath } = await callServer(link, info, args, signal)
      if (isError) throw new ToolError(text)
      return {
        text,
        data: { server, tool: info.name, ...(structured !== undefined && { structured }) },
        ...(truncated && { truncated }),
        ...(outputPath !== null && { outputPath }),
      }
    },
  })
}

/** The result; the server's own error is one for the model. */
async function callServer(link: ServerLink, info: McpToolInfo, args: object, signal: AbortSignal) {
  try {
    return await link.call(info, args, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Error ? new ToolError(error.message, { cause: error }) : error
  }
}

/** Says whose words it has, in one line: more lines could pass for a section of the prompt. */
function describe(server: string, { title, description }: McpToolInfo): string {
  const text = [title ?? '', description].filter((one) => one !== '').join(': ')
  return `[MCP server ${server}] ${plainLine(text, DESCRIPTION) || 'It has no description.'}`
}

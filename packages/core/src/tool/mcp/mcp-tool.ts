import { jsonSchema } from 'ai'
import { z } from 'zod'
import { isObject } from '../../domain/json/stored-keys.ts'
import { LIMITS } from '../../domain/limits.ts'
import { formContent } from '../../domain/permission/server-form.ts'
import { MCP_LIMITS, type McpAsked, type McpReply, type McpToolInfo } from '../../ports/index.ts'
import { defineTool, FormNeeded, type Tool, ToolError, type ToolRuntime, type WholeOutput } from '../tool.ts'
import { wrongArgument } from './check-arguments.ts'
import { cleanSchema } from './clean-schema.ts'
import { keepFiles } from './keep-files.ts'
import { plainLine } from './plain-line.ts'
import { readForm } from './read-form.ts'
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
    asks: true,
    changesFiles: true,
    async execute(args, runtime) {
      const output = await callServer(link, info, args, runtime)
      if ('elicitation' in output) throw neededForm(link, output, runtime)
      const { text, isError, structured, whole } = output
      if (isError) throw new ToolError(text)
      const { kept, notes } = await keepFiles(output.files, runtime)
      return {
        text: [text, ...notes].join('\n'),
        ...(whole !== null && { all: held(whole) }),
        ...(notes.length > 0 && { ending: notes.join('\n') }),
        data: { server, tool: plainLine(info.name, NAME), ...(structured !== undefined && { structured }) },
        ...(kept.length > 0 && { files: kept }),
        ...(whole !== null && { truncated: true }),
      }
    },
  })
}

/** An output that is only in memory. */
function held(bytes: Uint8Array): WholeOutput {
  return { read: () => Promise.resolve(bytes), stored: () => Promise.resolve() }
}

/** The result; the server's own error is one for the model. */
async function callServer(
  link: ServerLink,
  info: McpToolInfo,
  args: object,
  { signal, resumed }: Pick<ToolRuntime, 'signal' | 'resumed'>,
) {
  try {
    if (resumed === null) return await link.call(info, args, signal)
    const { state } = resumed.form
    return await link.call(info, args, signal, { state, reply: replyOf(resumed) })
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Error ? new ToolError(error.message, { cause: error }) : error
  }
}

function replyOf({ form, reply }: NonNullable<ToolRuntime['resumed']>): McpReply {
  if (reply.refused !== undefined) return { action: reply.refused }
  const read = formContent(form.fields, reply.answers)
  return 'content' in read ? { action: 'accept', content: read.content } : { action: 'cancel' }
}

/** What a person is asked. A form that nobody can fill in, and one too many, ends the call. */
function neededForm(link: ServerLink, { elicitation, state }: McpAsked, { resumed }: ToolRuntime): Error {
  const { name: server } = link.info
  const round = (resumed?.form.round ?? 0) + 1
  const form = readForm(elicitation.schema)
  const problem = round > LIMITS.forms ? `It asks for more than ${LIMITS.forms} forms.` : form
  if (typeof problem === 'string') {
    link.abandon(state)
    return new ToolError(`The MCP server ${server} asks what a person can't be asked. ${problem}`)
  }
  const message = plainLine(elicitation.message, MCP_LIMITS.reason)
  return new FormNeeded({ server, message, fields: problem.fields, round, state }, problem.questions)
}

/** Says whose words it has, in one line: more lines could pass for a section of the prompt. */
function describe(server: string, { title, description }: McpToolInfo): string {
  const text = [title ?? '', description].filter((one) => one !== '').join(': ')
  return `[MCP server ${server}] ${plainLine(text, DESCRIPTION) || 'It has no description.'}`
}

import { tool as aiTool, type Schema, type ToolSet, zodSchema } from 'ai'
import { z } from 'zod'
import { toResultOutput } from '../context/result-output.ts'
import type { Tool } from './tool.ts'

/** The catalogue as the AI SDK takes it: it validates arguments, and executes nothing. */
export function toAiTools(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.id, toAiTool(tool)]))
}

/** Given a zod schema, the SDK makes JSON Schema of it for each model call anew. */
const schemas = new WeakMap<Tool, Schema<object>>()

function schemaOf(tool: Tool): Schema<object> {
  const known = tool.schema ?? schemas.get(tool) ?? zodSchema(tool.input)
  schemas.set(tool, known)
  return known
}

function toAiTool(tool: Tool) {
  return aiTool({
    description: tool.description,
    ...(tool.metadata !== undefined && { metadata: tool.metadata }),
    inputSchema: schemaOf(tool),
    // An imported output may be anything.
    outputSchema: z.unknown(),
    toModelOutput: ({ output }) => toResultOutput(output),
  })
}

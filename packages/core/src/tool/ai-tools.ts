import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { tool as aiTool, type JSONSchema7, jsonSchema, type Schema, type ToolSet, zodSchema } from 'ai'
import { z } from 'zod'
import { toResultOutput } from '../context/result-output.ts'
import type { Tool } from './tool.ts'

type AiTool = ToolSet[string]

/** Made once for each tool, which most runs share. */
const made = new WeakMap<Tool, AiTool>()

/** The catalogue as the AI SDK takes it: it validates arguments, and executes nothing. */
export function toAiTools(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.id, onceFor(made, tool, toAiTool)]))
}

/** Made once for each tool. */
const definitions = new WeakMap<Tool, LanguageModelV4FunctionTool>()

/** The definitions of the tools, as a request lists them. */
export function toDefinitions(tools: readonly Tool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => onceFor(definitions, tool, toDefinition))
}

function toDefinition(tool: Tool): LanguageModelV4FunctionTool {
  // A schema of a tool is there at once: none is loaded.
  const inputSchema = schemaOf(tool).jsonSchema as JSONSchema7
  return { type: 'function', name: tool.id, description: tool.description, inputSchema }
}

function onceFor<K extends object, V>(known: WeakMap<K, V>, key: K, make: (key: K) => V): V {
  const value = known.get(key) ?? make(key)
  known.set(key, value)
  return value
}

/** Made once for each shape of arguments: the tool for subagents is another one in each run, with the same arguments. */
const schemas = new WeakMap<z.ZodType<object>, Schema<object>>()

/** What validation applies and a model has no use for: each step of each chat would pay for it. */
const BOUNDS = ['format', 'maxItems', 'maxLength', 'maximum', 'minItems', 'minLength', 'minimum'] as const

/**
 * The schema with its whole validation, which sends types, names, choices, default values and descriptions only. It is made here, and
 * not with the first request, which has enough to do in one piece.
 */
function withoutBounds(input: z.ZodType<object>): Schema<object> {
  const { $schema: _, ...sent } = z.toJSONSchema(input, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema: one }) {
      for (const keyword of BOUNDS) delete one[keyword]
    },
  })
  const { validate } = zodSchema(input)
  return jsonSchema(sent as JSONSchema7, { ...(validate && { validate }) })
}

function schemaOf(tool: Tool): Schema<object> {
  return tool.schema ?? onceFor(schemas, tool.input, withoutBounds)
}

/** Counted once for each tool. */
const lengths = new WeakMap<Tool, number>()

/** Characters of a tool's definition, as a request holds it. */
export function definitionLength(tool: Tool): number {
  const known = lengths.get(tool)
  if (known !== undefined) return known
  const { id: name, description } = tool
  const parameters = schemaOf(tool).jsonSchema
  const { length } = JSON.stringify({ type: 'function', function: { name, description, parameters } })
  lengths.set(tool, length)
  return length
}

function toAiTool(tool: Tool): AiTool {
  return aiTool({
    description: tool.description,
    ...(tool.metadata !== undefined && { metadata: tool.metadata }),
    inputSchema: schemaOf(tool),
    // An imported output may be anything.
    outputSchema: z.unknown(),
    toModelOutput: ({ output }) => toResultOutput(output),
  })
}

import { MCP_HINTS, type McpServerView, type McpTest, type McpToolView } from '@palimpsest/core/domain'
import { z } from 'zod'

const tool: z.ZodType<McpToolView> = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  hints: z.array(z.enum(MCP_HINTS)),
})

const mcpTest: z.ZodType<McpTest> = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true), tools: z.array(tool) }),
  z.looseObject({ ok: z.literal(false), message: z.string(), signIn: z.boolean() }),
])

const mcpServer: z.ZodType<McpServerView> = z.looseObject({
  name: z.string(),
  kind: z.enum(['stdio', 'http']),
  source: z.enum(['file', 'settings']),
  address: z.string().nullable(),
  state: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('off') }),
    z.looseObject({ type: z.literal('connecting') }),
    z.looseObject({ type: z.literal('ready') }),
    z.looseObject({ type: z.literal('failed'), reason: z.string(), retryAt: z.int().nonnegative() }),
  ]),
  tools: z.array(tool),
  leftOut: z.int().nonnegative(),
  refused: z.array(z.looseObject({ name: z.string(), reason: z.string() })),
  signIn: z.enum(['none', 'needed', 'done']).nullable(),
  wider: z.string().nullable(),
})

export const mcpOutputs = {
  mcpServers: z.looseObject({ items: z.array(mcpServer) }),
  mcpTest,
  mcpEntered: z.looseObject({ entered: z.boolean() }),
  signInPage: z.looseObject({ url: z.string() }),
  signedOut: z.looseObject({ signedOut: z.boolean() }),
  reconnecting: z.looseObject({ reconnecting: z.boolean() }),
}

import type { McpServerView } from '@palimpsest/core/domain'
import { z } from 'zod'

const mcpServer: z.ZodType<McpServerView> = z.looseObject({
  name: z.string(),
  kind: z.enum(['stdio', 'http']),
  state: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('off') }),
    z.looseObject({ type: z.literal('connecting') }),
    z.looseObject({ type: z.literal('ready') }),
    z.looseObject({ type: z.literal('failed'), reason: z.string(), retryAt: z.int().nonnegative() }),
  ]),
  tools: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.string() })),
  leftOut: z.int().nonnegative(),
  refused: z.array(z.looseObject({ name: z.string(), reason: z.string() })),
  signIn: z.enum(['none', 'needed', 'done']).nullable(),
  wider: z.string().nullable(),
})

export const mcpOutputs = {
  mcpServers: z.looseObject({ items: z.array(mcpServer) }),
  signInPage: z.looseObject({ url: z.string() }),
  signedOut: z.looseObject({ signedOut: z.boolean() }),
  reconnecting: z.looseObject({ reconnecting: z.boolean() }),
}

import { MEMORY_SCOPES, type Memory } from '@palimpsest/core/domain'
import { z } from 'zod'

const text = z.string()

const memory: z.ZodType<Memory> = z.looseObject({
  id: text,
  scope: z.enum(MEMORY_SCOPES),
  workspaceRoot: text.nullable(),
  name: text,
  description: text,
  type: text,
  body: text,
  state: z.enum(['accepted', 'proposed']),
  origin: z.looseObject({ sessionId: text, messageId: text }).nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** The outputs of memories. */
export const memoryOutputs = {
  memory,
  page: z.looseObject({ items: z.array(memory), nextCursor: text.nullable() }),
  deleted: z.looseObject({ deleted: z.boolean() }),
}

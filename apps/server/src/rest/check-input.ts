import { TRPCError } from '@trpc/server'
import type { z } from 'zod'

/** Returns the caller's input when the schema accepts it; fails as a tRPC call does otherwise. */
export function checkInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { success, data, error: cause } = schema.safeParse(value)
  if (success) return data
  throw new TRPCError({ code: 'BAD_REQUEST', cause })
}

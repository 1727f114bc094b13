import { TRPCError } from '@trpc/server'
import type { z } from 'zod'

/** What a caller sent, if it is what the schema says; else it fails as it does on a call. */
export function checkInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { success, data, error: cause } = schema.safeParse(value)
  if (success) return data
  throw new TRPCError({ code: 'BAD_REQUEST', cause })
}

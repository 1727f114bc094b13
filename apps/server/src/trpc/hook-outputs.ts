import { HOOK_EVENTS, type HookView } from '@palimpsest/core/domain'
import { z } from 'zod'

const count = z.number()
const outcome = z
  .looseObject({
    type: z.enum(['done', 'blocked', 'failed']),
    at: count,
    durationMs: count,
    message: z.string().exactOptional(),
  })
  .nullable()
const hookView: z.ZodType<HookView> = z.looseObject({
  name: z.string(),
  event: z.enum(HOOK_EVENTS),
  kind: z.enum(['command', 'module']),
  source: z.string(),
  required: z.boolean(),
  timeoutMs: count,
  tools: z.array(z.string()).nullable(),
  runs: count,
  failures: count,
  blocks: count,
  last: outcome,
  lastFailure: outcome,
  lastBlock: outcome,
})

/** The output of the procedure about hooks. */
export const hookOutputs = { hooks: z.looseObject({ items: z.array(hookView) }) }

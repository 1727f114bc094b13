import { HOOK_EVENTS, type HookView } from '@palimpsest/core/domain'
import { z } from 'zod'

const count = z.number()
const hookView: z.ZodType<HookView> = z.looseObject({
  name: z.string(),
  event: z.enum(HOOK_EVENTS),
  kind: z.enum(['command', 'module']),
  required: z.boolean(),
  timeoutMs: count,
  runs: count,
  failures: count,
  last: z
    .looseObject({
      type: z.enum(['done', 'blocked', 'failed']),
      at: count,
      durationMs: count,
      message: z.string().exactOptional(),
    })
    .nullable(),
})

/** The output of the procedure about hooks. */
export const hookOutputs = { hooks: z.looseObject({ items: z.array(hookView) }) }

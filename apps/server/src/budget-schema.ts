import { MOST_SPENT } from '@palimpsest/core/domain'
import { z } from 'zod'

const whole = z.int().min(1).max(MOST_SPENT).nullable().exactOptional()
const budget = z.strictObject({
  max_tokens: whole,
  /** Milliseconds of work. */
  max_duration: whole,
  max_tool_calls: whole,
  /** US dollars. */
  max_cost: z.number().positive().max(MOST_SPENT).nullable().exactOptional(),
})

/** Limits of each run, and of all runs of a session together. A limit that is null is lifted. */
export const budgetLimits = z.strictObject({ run: budget.exactOptional(), session: budget.exactOptional() })

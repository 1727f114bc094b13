import { BUDGET_LIMITS, BUDGET_SCOPES, type SessionBudget } from '@palimpsest/core/domain'
import { z } from 'zod'

const amount = z.number()
const limit = amount.nullable().exactOptional()
const budget = z.looseObject({
  max_tokens: limit,
  max_cost: limit,
  max_tool_calls: limit,
  max_duration: limit,
})

const sessionBudget: z.ZodType<SessionBudget> = z.looseObject({
  limits: z.looseObject({ run: budget, session: budget }),
  own: z.looseObject({ run: budget.exactOptional(), session: budget.exactOptional() }),
  spent: z.looseObject({ tokens: amount, costUsd: amount, toolCalls: amount, durationMs: amount }),
  reached: z
    .looseObject({
      scope: z.enum(BUDGET_SCOPES),
      limit: z.enum(BUDGET_LIMITS),
      max: amount,
      used: amount,
    })
    .nullable(),
})

/** The outputs of the procedures about budgets. */
export const budgetOutputs = { budget: sessionBudget }

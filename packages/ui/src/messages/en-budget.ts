import type { BudgetLimit, BudgetScope } from '@palimpsest/core/domain'

const UNITS: Record<BudgetLimit, string> = {
  max_tokens: ' tokens',
  max_cost: '',
  max_tool_calls: ' tool calls',
  max_duration: ' of work',
}

/** The texts of budgets. */
export const budgetWords = {
  use: (limit: BudgetLimit, used: string, max: string, scope: BudgetScope) =>
    `${used} of ${max}${UNITS[limit]} in this ${scope === 'run' ? 'reply' : 'chat'}.`,
}

import type { BudgetUse } from '@palimpsest/core/domain'
import type { Format } from '../format/format.ts'
import type { Messages } from '../messages/en.ts'

/** How much of a limit is used, in words. */
export function budgetUseText(
  { scope, limit, max, used }: BudgetUse,
  format: Format,
  words: Messages,
): string {
  const shown = (value: number) => {
    if (limit === 'max_cost') return format.cost(value)
    return limit === 'max_duration' ? format.duration(value) : format.count(value)
  }
  return words.budget.use(limit, shown(used), shown(max), scope)
}

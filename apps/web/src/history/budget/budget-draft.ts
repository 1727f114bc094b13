import {
  BUDGET_LIMITS,
  BUDGET_SCOPES,
  type BudgetLimit,
  type BudgetLimits,
  type BudgetScope,
} from '@palimpsest/core/domain'

/** What is entered for each limit: minutes for a time, empty for none of the chat's own. */
export type BudgetDraft = { [scope in BudgetScope]?: { [limit in BudgetLimit]?: string } }

const MINUTE = 60_000
const MOST = 1e12

/** The fields with the limits that the chat has of its own. */
export function draftOf(own: BudgetLimits): BudgetDraft {
  return Object.fromEntries(
    BUDGET_SCOPES.map((scope) => [
      scope,
      Object.fromEntries(
        BUDGET_LIMITS.map((limit) => [limit, shownLimit(limit, own[scope]?.[limit] ?? null)]),
      ),
    ]),
  )
}

/** A limit in the unit of its field; empty without one. */
export function shownLimit(limit: BudgetLimit, value: number | null): string {
  if (value === null) return ''
  return String(limit === 'max_duration' ? Math.round((value / MINUTE) * 100) / 100 : value)
}

/** The limits that are entered; null when one of them is no amount above 0. */
export function limitsOf(draft: BudgetDraft): BudgetLimits | null {
  const limits: BudgetLimits = {}
  for (const scope of BUDGET_SCOPES) {
    const budget = budgetOf(draft[scope] ?? {})
    if (budget === null) return null
    limits[scope] = budget
  }
  return limits
}

function budgetOf(
  fields: NonNullable<BudgetDraft[BudgetScope]>,
): NonNullable<BudgetLimits[BudgetScope]> | null {
  const entered = BUDGET_LIMITS.filter((limit) => (fields[limit] ?? '').trim() !== '')
  const values = entered.map((limit) => [limit, amountOf(limit, fields[limit] ?? '')] as const)
  return values.some(([, value]) => value === null) ? null : Object.fromEntries(values)
}

function amountOf(limit: BudgetLimit, text: string): number | null {
  const plain = text.trim().replaceAll(/[\s,_]/g, '')
  const number = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : 0
  const value = limit === 'max_duration' ? Math.round(number * MINUTE) : number
  if (value <= 0 || value > MOST) return null
  return limit === 'max_cost' || Number.isInteger(value) ? value : null
}

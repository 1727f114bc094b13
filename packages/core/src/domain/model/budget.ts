import { isObject } from '../json/stored-keys.ts'

/** What a budget limits, in the order in which a reached limit is reported. */
export const BUDGET_LIMITS = ['max_tokens', 'max_cost', 'max_tool_calls', 'max_duration'] as const

export type BudgetLimit = (typeof BUDGET_LIMITS)[number]

/** Tokens of all kinds, US dollars, tool calls and milliseconds of work. A limit that is absent or null limits nothing. */
export type Budget = { [limit in BudgetLimit]?: number | null }

/** `run`: each run. `session`: all runs of a session together. */
export const BUDGET_SCOPES = ['run', 'session'] as const

export type BudgetScope = (typeof BUDGET_SCOPES)[number]

export type BudgetLimits = { [scope in BudgetScope]?: Budget }

/** Sums that only grow, in the units of a budget. `costUsd` leaves out models whose prices are unknown. */
export type Spending = { tokens: number; costUsd: number; toolCalls: number; durationMs: number }

/** What is spent of a limit: `used` of `max`, in the units of the limit. */
export type BudgetUse = { scope: BudgetScope; limit: BudgetLimit; max: number; used: number }

export type SessionBudget = {
  /** The limits in force. */
  limits: Record<BudgetScope, Budget>
  /** Those that a person set for the session; null lifts a limit of the configuration. */
  own: BudgetLimits
  /** What the session has spent. */
  spent: Spending
  /** The first limit of the session that is reached. */
  reached: BudgetUse | null
}

export const NOTHING_SPENT: Spending = { tokens: 0, costUsd: 0, toolCalls: 0, durationMs: 0 }

/** Share of a limit from which a person is warned. */
const BUDGET_WARNING = 0.8

/** The largest value of a limit and of a sum: beyond it columns and sums lose precision. */
export const MOST_SPENT = 1e15

const SPENT: Record<BudgetLimit, keyof Spending> = {
  max_tokens: 'tokens',
  max_cost: 'costUsd',
  max_tool_calls: 'toolCalls',
  max_duration: 'durationMs',
}

export function addSpending(a: Spending, b: Partial<Spending>): Spending {
  const { tokens = 0, costUsd = 0, toolCalls = 0, durationMs = 0 } = b
  return {
    tokens: grown(a.tokens, tokens),
    costUsd: grown(a.costUsd, costUsd),
    toolCalls: grown(a.toolCalls, toolCalls),
    durationMs: grown(a.durationMs, durationMs),
  }
}

/** A sum never falls, whatever is added to it. */
function grown(sum: number, by: number): number {
  return by > 0 ? Math.min(MOST_SPENT, sum + by) : sum
}

/** Merges limits: the later one wins, limit by limit; null lifts it. */
export function mergeLimits(...limits: readonly (BudgetLimits | undefined)[]): Record<BudgetScope, Budget> {
  const merged = (scope: BudgetScope): Budget =>
    Object.assign({}, ...limits.map((each) => each?.[scope] ?? {}))
  return { run: merged('run'), session: merged('session') }
}

/** How much of each limit of a scope is used. */
export function budgetUses(scope: BudgetScope, budget: Budget, spent: Spending): BudgetUse[] {
  return BUDGET_LIMITS.flatMap((limit) => {
    const max = budget[limit] ?? null
    return max === null ? [] : [{ scope, limit, max, used: spent[SPENT[limit]] }]
  })
}

export function isReached({ max, used }: BudgetUse): boolean {
  return used >= max
}

/** Whether the use has reached the share at which a person is warned. */
export function isNearLimit({ max, used }: BudgetUse): boolean {
  return used >= BUDGET_WARNING * max
}

const NAMES: Record<BudgetLimit, string> = {
  max_tokens: 'tokens',
  max_cost: 'US dollars',
  max_tool_calls: 'tool calls',
  max_duration: 'seconds of work',
}

/** A sentence that names the limit, for a person. */
export function describeReached({ scope, limit, max, used }: BudgetUse): string {
  const shown = (value: number) => {
    if (limit === 'max_cost') return value.toFixed(2)
    return (limit === 'max_duration' ? Math.round(value / 1_000) : Math.round(value)).toLocaleString('en-US')
  }
  return `The budget of this ${scope} is spent: ${shown(used)} of ${shown(max)} ${NAMES[limit]}.`
}

/** The limits of a stored value; what is none is left out. */
export function readLimits(value: unknown): BudgetLimits {
  if (!isObject(value)) return {}
  const known = BUDGET_SCOPES.filter((scope) => isObject(value[scope]))
  return Object.fromEntries(known.map((scope) => [scope, readBudget(value[scope])]))
}

function readBudget(value: unknown): Budget {
  if (!isObject(value)) return {}
  const known = BUDGET_LIMITS.filter((limit) => isLimit(value[limit]))
  return Object.fromEntries(known.map((limit) => [limit, value[limit]]))
}

function isLimit(value: unknown): boolean {
  return value === null || (typeof value === 'number' && value >= 0 && value <= MOST_SPENT)
}

import { type BudgetLimits, parseBounded, readLimits, type Spending } from '@palimpsest/core/domain'
import type { SessionSpending, StoredBudget } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { toNumber } from '../rows/numbers.ts'

type BudgetRow = Record<keyof Spending, bigint | number> & { limitsJson: string }

/** The row of a session, or what it is made with: the tokens of the messages, and no limits. */
const ROW = `
SELECT coalesce(b.tokens, s.total_tokens) AS tokens, coalesce(b.cost_usd, 0) AS "costUsd",
  coalesce(b.tool_calls, 0) AS "toolCalls", coalesce(b.duration_ms, 0) AS "durationMs",
  coalesce(b.limits_json, '{}') AS "limitsJson"
FROM chat_sessions s LEFT JOIN session_budgets b ON b.session_id = s.id WHERE s.id = ?
`

/** Makes the row of a session that has none. */
const FIRST = `
INSERT INTO session_budgets (session_id, tokens, cost_usd, tool_calls, duration_ms)
SELECT id, total_tokens, 0, 0, 0 FROM chat_sessions WHERE id = ? ON CONFLICT (session_id) DO NOTHING
`

const ADD = `
UPDATE session_budgets SET tokens = tokens + ?, cost_usd = cost_usd + ?, tool_calls = tool_calls + ?,
  duration_ms = duration_ms + ?
WHERE session_id = ?
`

const COPY = `
INSERT INTO session_budgets (session_id, tokens, cost_usd, tool_calls, duration_ms, limits_json)
SELECT ?, coalesce(b.tokens, s.total_tokens), coalesce(b.cost_usd, 0), coalesce(b.tool_calls, 0),
  coalesce(b.duration_ms, 0), coalesce(b.limits_json, '{}')
FROM chat_sessions s LEFT JOIN session_budgets b ON b.session_id = s.id WHERE s.id = ?
`

/** Null when there is no such session. Limits that cannot be read are none. */
export async function readBudget(queries: ReadQueries, sessionId: string): Promise<StoredBudget | null> {
  const [row] = await queries.$queryRawUnsafe<BudgetRow[]>(ROW, sessionId)
  if (row === undefined) return null
  const { limitsJson, tokens, costUsd, toolCalls, durationMs } = row
  return {
    limits: readLimits(parseBounded(limitsJson)),
    spent: {
      tokens: toNumber(tokens),
      costUsd: toNumber(costUsd),
      toolCalls: toNumber(toolCalls),
      durationMs: toNumber(durationMs),
    },
  }
}

/** Adds to what sessions have spent. To be called before the tokens are added to the session's own columns. */
export async function addSpending(queries: RawQueries, spent: readonly SessionSpending[]): Promise<void> {
  for (const { sessionId, tokens, costUsd, toolCalls, durationMs } of spent) {
    await queries.$executeRawUnsafe(FIRST, sessionId)
    await queries.$executeRawUnsafe(ADD, Math.round(tokens), costUsd, toolCalls, durationMs, sessionId)
  }
}

export async function writeLimits(
  queries: RawQueries,
  sessionId: string,
  limits: BudgetLimits,
): Promise<void> {
  await queries.$executeRawUnsafe(FIRST, sessionId)
  const sql = 'UPDATE session_budgets SET limits_json = ? WHERE session_id = ?'
  await queries.$executeRawUnsafe(sql, JSON.stringify(limits), sessionId)
}

/** A branch begins with what its parent has spent, and with its limits. */
export async function copyBudget(queries: RawQueries, from: string, to: string): Promise<void> {
  await queries.$executeRawUnsafe(COPY, to, from)
}

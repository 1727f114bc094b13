import { IMPORT_LIMITS } from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'

export type UsageSum = {
  day: string
  providerId: string | null
  modelId: string | null
  variant: string | null
  messages: number
  input: number
  output: number
  reasoning: number
  cacheRead: number
  cacheWrite: number
  steps: number
  unknown: number
}

/** From here on SQL has no day. */
const NO_DATE = IMPORT_LIMITS.time + 1

/** A branch's copies are older than the branch, and are counted where they were made. Nothing of the bin is counted. */
const COUNTED = `NOT EXISTS (SELECT 1 FROM chat_sessions s WHERE s.id = m.session_id
  AND (s.deleted_at IS NOT NULL OR s.parent_id IS NOT NULL AND m.created_at < s.created_at))`

/** Sums of assistant messages made in `[since, until)`, by UTC day and model. */
export function sumUsage(queries: ReadQueries, since: number, until: number): Promise<UsageSum[]> {
  return queries.$queryRawUnsafe(
    `SELECT ${queries.dialect.day('created_at')} AS day,
       provider_id AS "providerId", model_id AS "modelId", variant, count(*) AS messages,
       sum(input_tokens) AS input, sum(output_tokens) AS output, sum(reasoning_tokens) AS reasoning,
       sum(cache_read) AS "cacheRead", sum(cache_write) AS "cacheWrite", sum(steps) AS steps,
       sum(usage_unknown) AS unknown
     FROM chat_messages m
     WHERE role = 'assistant' AND created_at >= ? AND created_at < ? AND ${COUNTED}
     GROUP BY day, provider_id, model_id, variant
     ORDER BY day, provider_id IS NULL, provider_id, model_id, variant`,
    since,
    Math.min(until, NO_DATE),
  )
}

/** How many rows the two large tables have, those of the bin left out. */
export async function countRows(queries: ReadQueries): Promise<{ sessions: number; messages: number }> {
  const [counts] = await queries.$queryRawUnsafe<{ sessions: number; messages: number }[]>(
    `SELECT (SELECT count(*) FROM chat_sessions)
         - (SELECT count(*) FROM chat_sessions WHERE deleted_at IS NOT NULL) AS sessions,
       (SELECT count(*) FROM chat_messages)
         - (SELECT count(*) FROM chat_messages WHERE session_id IN
             (SELECT id FROM chat_sessions WHERE deleted_at IS NOT NULL)) AS messages`,
  )
  return counts ?? { sessions: 0, messages: 0 }
}

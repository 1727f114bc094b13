import type { LanguageModelUsage } from 'ai'

/** Counts of one of the model calls that Anthropic makes for one answer; `output` includes reasoning. */
type Iteration = { type: string; input: number; output: number; cacheRead: number; cacheWrite: number }

/**
 * The model calls behind one answer, in order, where the provider lists them: compactions, the calls between which its own
 * tools ran, and those of an advising model. Its sums above the list leave some of them out. Null without a list, and for
 * an answer that another model took over: those sums are of that model alone.
 */
export function usageIterations({ raw }: LanguageModelUsage): Iteration[] | null {
  const listed: unknown = raw?.['iterations']
  if (!Array.isArray(listed) || listed.length === 0) return null
  const iterations = listed.map(toIteration)
  if (iterations.some((iteration) => iteration?.type === 'fallback_message')) return null
  const whole = iterations.filter((iteration) => iteration !== null)
  return whole.length === iterations.length ? whole : null
}

function toIteration(value: unknown): Iteration | null {
  if (typeof value !== 'object' || value === null) return null
  const fields: Record<string, unknown> = { ...value }
  const { type, input_tokens: input, output_tokens: output } = fields
  if (typeof type !== 'string' || !isCount(input) || !isCount(output)) return null
  const { cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite } = fields
  return {
    type,
    input,
    output,
    cacheRead: isCount(cacheRead) ? cacheRead : 0,
    cacheWrite: isCount(cacheWrite) ? cacheWrite : 0,
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

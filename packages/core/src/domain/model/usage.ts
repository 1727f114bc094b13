/**
 * Token counts of one or more steps. The five add up to what the provider counted:
 * `input` excludes cache reads and writes, `output` excludes reasoning.
 */
export type TokenCounts = {
  input: number
  output: number
  reasoning: number
  cacheRead: number
  cacheWrite: number
}

/** Token counts of an assistant message, summed over its steps. */
export type MessageUsage = TokenCounts & {
  steps: number
  /** True when the provider left a count out; the missing ones are 0. */
  unknown?: true
}

/** One model call of a reply. Missing counts are 0, and `unknown` is true then. */
export type StepFigures = { tokens: TokenCounts; durationMs: number; finishReason: string; unknown?: true }

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

export function totalTokens(counts: TokenCounts): number {
  return counts.input + counts.output + counts.reasoning + counts.cacheRead + counts.cacheWrite
}

import type { LanguageModelUsage } from 'ai'
import { type TokenCounts, totalTokens } from '../domain/model/usage.ts'
import { usageIterations } from './usage-iterations.ts'

/** Counts of one step; `unknown` when the provider left out its input or its output, which is then 0. */
export type StepTokens = TokenCounts & { unknown?: true }

/** Names under which providers report the tokens of prompt and reply together. */
const TOTALS = ['total_tokens', 'totalTokenCount'] as const
/** Names under which providers report their input and their output: none of them present means it is missing. */
const INPUTS = ['prompt_tokens', 'input_tokens', 'promptTokenCount'] as const
const OUTPUTS = ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'thoughtsTokenCount'] as const

/**
 * Splits the usage of one model call, as the AI SDK reports it at a step's end, into five counts that add up to what
 * the provider counted.
 *
 * Most providers count reasoning inside the output. Those that count it outside (xAI; Gemini behind an
 * OpenAI-compatible door, which does not even name it) are recognised by a reported total that is larger than input and
 * output together; without a total, by more reasoning than output.
 */
export function countTokens(usage: LanguageModelUsage): StepTokens {
  const iterations = usageIterations(usage)
  if (iterations !== null) return sumOf(iterations, count(usage.outputTokenDetails.reasoningTokens) ?? 0)
  const raw: Raw = usage.raw ?? {}
  const total = firstCount(raw, TOTALS)
  const given = { input: count(usage.inputTokens), output: count(usage.outputTokens) }
  const cacheRead = cacheReads(usage, raw)
  const cacheWrite = cacheWrites(usage, raw)
  const reported = count(usage.outputTokenDetails.reasoningTokens) ?? 0
  const generated = generatedTokens(given.input ?? 0, given.output ?? 0, reported, total)
  const output = generated - reported < 0 ? 0 : Math.min(generated - reported, given.output ?? 0)
  const counts = {
    input: Math.max(0, (given.input ?? 0) - cacheRead - cacheWrite),
    output,
    reasoning: generated - output,
    cacheRead,
    cacheWrite,
  }
  const known = isReported(given.input, usage.raw, INPUTS) && isReported(given.output, usage.raw, OUTPUTS)
  return known ? counts : { ...counts, unknown: true }
}

/**
 * Tokens that the window holds after the call: all of its counts, but where the provider called its model several times
 * for it, those of the last call to this model. What an earlier call held is in that one, or has been summarised.
 */
export function countWindow(usage: LanguageModelUsage): number {
  const last = usageIterations(usage)?.findLast(({ type }) => type === 'message')
  if (last === undefined) return totalTokens(countTokens(usage))
  return last.input + last.cacheRead + last.cacheWrite + last.output
}

function sumOf(iterations: readonly TokenSums[], reported: number): TokenCounts {
  const sums = iterations.reduce((sum, each) => ({
    input: sum.input + each.input,
    output: sum.output + each.output,
    cacheRead: sum.cacheRead + each.cacheRead,
    cacheWrite: sum.cacheWrite + each.cacheWrite,
  }))
  const reasoning = Math.min(reported, sums.output)
  return { ...sums, output: sums.output - reasoning, reasoning }
}

type TokenSums = Omit<TokenCounts, 'reasoning'>

type Raw = NonNullable<LanguageModelUsage['raw']>

function generatedTokens(input: number, output: number, reasoning: number, total: number | null): number {
  if (total !== null && total > input + output) return total - input
  return reasoning > output ? output + reasoning : output
}

function cacheReads({ inputTokenDetails }: LanguageModelUsage, raw: Raw): number {
  // DeepSeek and Moonshot name theirs differently from OpenAI, and the compatible package reads OpenAI's name only.
  return (
    count(inputTokenDetails.cacheReadTokens) ||
    firstCount(raw, ['prompt_cache_hit_tokens', 'cached_tokens']) ||
    0
  )
}

function cacheWrites({ inputTokenDetails }: LanguageModelUsage, raw: Raw): number {
  const details = raw['prompt_tokens_details']
  const written = isObject(details) ? count(details['cache_write_tokens']) : null
  return count(inputTokenDetails.cacheWriteTokens) ?? written ?? 0
}

/** The SDK turns some missing counts into 0, so the raw report decides where its shape is known. */
function isReported(value: number | null, raw: Raw | undefined, names: readonly string[]): boolean {
  if (value === null) return false
  if (value > 0 || raw === undefined) return true
  const nothing = Object.keys(raw).length === 0
  const familiar = [...INPUTS, ...OUTPUTS, ...TOTALS].some((name) => name in raw)
  return (!nothing && !familiar) || firstCount(raw, names) !== null || firstCount(raw, TOTALS) !== null
}

function firstCount(raw: Raw, names: readonly string[]): number | null {
  for (const name of names) {
    const value = count(raw[name])
    if (value !== null) return value
  }
  return null
}

/** No model takes or makes more in one call; what is reported beyond is no count. */
const MOST = 1e12

/** A whole number, for columns hold no others; null for what is none. */
function count(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= MOST ? Math.round(value) : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

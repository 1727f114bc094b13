import type { ModelInfo } from './model.ts'
import type { TokenCounts } from './usage.ts'

const PER = 1_000_000

/**
 * US dollars of these tokens at the model's prices; null when a price that is needed is unknown.
 * Reasoning is billed as output; a cache price that is unknown counts as input.
 */
export function modelCost(counts: TokenCounts, prices: ModelInfo['prices']): number | null {
  const { input, output } = prices
  if (input === null || output === null) return null
  const cacheRead = prices.cacheRead ?? input
  const cacheWrite = prices.cacheWrite ?? input
  const sum =
    counts.input * input +
    (counts.output + counts.reasoning) * output +
    counts.cacheRead * cacheRead +
    counts.cacheWrite * cacheWrite
  return sum / PER
}

/** Summary of a set of measurements. */
export type Summary = { min: number; median: number; p95: number; p99: number; max: number }

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return { min: at(0), median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

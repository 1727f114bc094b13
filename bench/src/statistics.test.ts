import { expect, test } from 'vitest'
import { summarize } from './statistics.ts'

test('PF-1 a summary has the minimum, the median, the p95, the p99 and the maximum', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(summarize(values)).toEqual({ min: 1, median: 50, p95: 95, p99: 99, max: 100 })
  expect(summarize([7])).toEqual({ min: 7, median: 7, p95: 7, p99: 7, max: 7 })
})

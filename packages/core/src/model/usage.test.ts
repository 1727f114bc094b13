import type { LanguageModelUsage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalTokens } from '../domain/model/usage.ts'
import { countTokens, countWindow } from './usage.ts'

type Counts = { input?: number; output?: number; reasoning?: number; cacheRead?: number; cacheWrite?: number }

function usageOf(counts: Counts, raw?: LanguageModelUsage['raw']): LanguageModelUsage {
  return {
    inputTokens: counts.input,
    inputTokenDetails: {
      noCacheTokens: undefined,
      cacheReadTokens: counts.cacheRead,
      cacheWriteTokens: counts.cacheWrite,
    },
    outputTokens: counts.output,
    outputTokenDetails: { textTokens: undefined, reasoningTokens: counts.reasoning },
    totalTokens: undefined,
    ...(raw && { raw }),
  }
}

test('US-2 cache reads and writes leave the input, and reasoning leaves the output', () => {
  expect(
    countTokens(usageOf({ input: 9632, output: 198, reasoning: 50, cacheRead: 6289, cacheWrite: 3337 })),
  ).toEqual({
    input: 6,
    output: 148,
    reasoning: 50,
    cacheRead: 6289,
    cacheWrite: 3337,
  })
})

test('US-2 reasoning that a provider reports outside the output is not taken from it', () => {
  const raw = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 354 }
  const counts = countTokens(usageOf({ input: 12, output: 2, reasoning: 340, cacheRead: 11 }, raw))
  expect(counts).toEqual({ input: 1, output: 2, reasoning: 340, cacheRead: 11, cacheWrite: 0 })
})

test('US-2 reasoning outside the output is recognised even when it is smaller than the output', () => {
  const raw = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 80 }
  expect(countTokens(usageOf({ input: 10, output: 50, reasoning: 20 }, raw))).toMatchObject({
    output: 50,
    reasoning: 20,
  })
})

test('US-2 tokens that only the total names count as reasoning', () => {
  const raw = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 200 }
  expect(countTokens(usageOf({ input: 10, output: 5, reasoning: 0 }, raw))).toMatchObject({
    output: 5,
    reasoning: 185,
  })
})

test('US-2 cache counts under the names of other providers are found', () => {
  const deepseek = { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64 }
  expect(countTokens(usageOf({ input: 100, output: 5, cacheRead: 0 }, deepseek))).toMatchObject({
    input: 36,
    cacheRead: 64,
  })
  const router = {
    prompt_tokens: 100,
    completion_tokens: 5,
    prompt_tokens_details: { cache_write_tokens: 30 },
  }
  expect(countTokens(usageOf({ input: 100, output: 5 }, router))).toMatchObject({ input: 70, cacheWrite: 30 })
})

test('US-2 missing counts are 0 and marked unknown', () => {
  const nothing = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, unknown: true }
  expect(countTokens(usageOf({}))).toEqual(nothing)
  expect(countTokens(usageOf({ input: 7 }))).toMatchObject({ input: 7, output: 0, unknown: true })
  expect(countTokens(usageOf({ input: 7, output: 0 }, { prompt_tokens: 7 }))).toMatchObject({ unknown: true })
  expect(
    countTokens(usageOf({ input: 7, output: 0 }, { prompt_tokens: 7, completion_tokens: 0 })),
  ).not.toHaveProperty('unknown')
})

test('US-2 the five counts always add up to what the provider counted and none is negative', () => {
  const small = fc.nat({ max: 100_000 })
  fc.assert(
    fc.property(
      small,
      small,
      small,
      small,
      small,
      fc.boolean(),
      (fresh, read, written, text, reasoning, outside) => {
        const input = fresh + read + written
        const output = outside ? text : text + reasoning
        const total = input + text + reasoning
        const raw = { prompt_tokens: input, completion_tokens: output, total_tokens: total }
        const counts = countTokens(
          usageOf({ input, output, reasoning, cacheRead: read, cacheWrite: written }, raw),
        )
        expect(counts).toEqual({
          input: fresh,
          output: text,
          reasoning,
          cacheRead: read,
          cacheWrite: written,
        })
        expect(totalTokens(counts)).toBe(total)
      },
    ),
  )
})

test('US-2 no report, however odd, gives a count that is no whole number, or that no column holds', () => {
  const number = fc.oneof(fc.nat(), fc.double(), fc.constantFrom(-1, Number.NaN, 0.5, 5.5, 1e308))
  const odd = fc.option(number, { nil: undefined })
  const raw = fc.dictionary(fc.constantFrom('total_tokens', 'prompt_tokens', 'completion_tokens'), number)
  const sparse = fc.record({ input: odd, output: odd, reasoning: odd, cacheRead: odd, cacheWrite: odd })
  fc.assert(
    fc.property(sparse, raw, (counts, report) => {
      const given = Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined))
      const { unknown: _unknown, ...five } = countTokens(usageOf(given, report))
      for (const value of Object.values(five)) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(Number.isSafeInteger(value)).toBe(true)
      }
      expect(totalTokens(five)).toBeLessThan(Number.MAX_SAFE_INTEGER)
    }),
  )
})

const call = (type: string, input_tokens: number, output_tokens: number, cache_read_input_tokens = 0) => ({
  type,
  input_tokens,
  output_tokens,
  cache_read_input_tokens,
})

test('US-2 US-4 every model call behind an answer is counted, and the window holds what the last one of this model held', () => {
  const iterations = [
    call('message', 412, 89),
    call('advisor_message', 823, 1612),
    call('message', 1348, 442, 412),
  ]
  const usage = usageOf({ input: 1760, output: 531, reasoning: 100 }, { iterations })
  expect(countTokens(usage)).toEqual({
    input: 2583,
    output: 2043,
    reasoning: 100,
    cacheRead: 412,
    cacheWrite: 0,
  })
  expect(countWindow(usage)).toBe(1348 + 412 + 442)
})

test('US-2 an answer that another model took over counts as the provider sums it up', () => {
  const iterations = [call('message', 400, 0), call('fallback_message', 410, 20)]
  const usage = usageOf({ input: 410, output: 20 }, { iterations, input_tokens: 410, output_tokens: 20 })
  expect(countTokens(usage)).toMatchObject({ input: 410, output: 20 })
  expect(countWindow(usage)).toBe(430)
})

test('US-4 without a list of model calls the window holds all that was counted', () => {
  expect(countWindow(usageOf({ input: 10, output: 5, reasoning: 2, cacheRead: 3 }))).toBe(15)
})

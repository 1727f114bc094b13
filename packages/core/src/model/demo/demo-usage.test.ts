import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { demoUsage, promptTokens } from './demo-usage.ts'

const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
const assistant = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})

test('MO-5 a first prompt has nothing to read from the cache', () => {
  expect(promptTokens([{ role: 'system', content: 'x'.repeat(400) }, user('hi')])).toMatchObject({
    cached: 0,
  })
})

test('MO-5 everything up to the last reply was sent before', () => {
  const before = [user('x'.repeat(400))]
  const { total, cached } = promptTokens([...before, assistant('yes'), user('more')])
  expect(cached).toBe(promptTokens(before).total)
  expect(total).toBeGreaterThan(cached)
})

test('MO-5 a file costs the same whatever its size', () => {
  const withFile = (size: number): LanguageModelV4Prompt => [
    {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'x'.repeat(size) } }],
    },
  ]
  expect(promptTokens(withFile(1_000_000))).toEqual(promptTokens(withFile(1)))
})

test('MO-5 text and reasoning are counted apart and together', () => {
  const { outputTokens } = demoUsage([], { reasoning: 40, text: 81 })
  expect(outputTokens).toEqual({ total: 31, text: 21, reasoning: 10 })
})

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
  expect(promptTokens({ prompt: [{ role: 'system', content: 'x'.repeat(400) }, user('hi')] })).toMatchObject({
    cached: 0,
  })
})

test('MO-5 everything up to the last reply was sent before', () => {
  const before = [user('x'.repeat(400))]
  const { total, cached } = promptTokens({ prompt: [...before, assistant('yes'), user('more')] })
  expect(cached).toBe(promptTokens({ prompt: before }).total)
  expect(total).toBeGreaterThan(cached)
})

test('MO-5 a file costs the same whatever its size', () => {
  const withFile = (size: number): LanguageModelV4Prompt => [
    {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'x'.repeat(size) } }],
    },
  ]
  expect(promptTokens({ prompt: withFile(1_000_000) })).toEqual(promptTokens({ prompt: withFile(1) }))
})

test('MO-5 text and reasoning are counted apart and together', () => {
  const { outputTokens } = demoUsage({ prompt: [] }, { reasoning: 40, text: 81 })
  expect(outputTokens).toEqual({ total: 31, text: 21, reasoning: 10 })
})

test('MO-5 the definitions of tools are counted like the messages', () => {
  const tool = { type: 'function', name: 'todo', description: 'x'.repeat(400), inputSchema: {} } as const
  const prompt = [user('hi')]
  const { total } = promptTokens({ prompt })
  expect(promptTokens({ prompt, tools: [tool] }).total).toBeGreaterThan(total + 100)
  const later = [...prompt, assistant('yes'), user('more')]
  expect(promptTokens({ prompt: later, tools: [tool] }).cached).toBe(
    promptTokens({ prompt, tools: [tool] }).total,
  )
})

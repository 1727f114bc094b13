import type { ChatMessage, ModelInfo, SessionUsage } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { modelInfo } from '../testing/model-info.ts'
import { sessionCost } from './session-cost.ts'

const MILLION = 1_000_000
const usage: SessionUsage = {
  promptTokens: 3 * MILLION,
  completionTokens: 0,
  reasoningTokens: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 3 * MILLION,
  costUsd: null,
}
const priced = (modelId: string, input: number): ModelInfo => ({
  ...modelInfo(modelId),
  prices: { input, output: input, cacheRead: null, cacheWrite: null },
})
const ref = (modelId: string) => ({ providerId: 'lab', modelId })
const reply = (modelId: string, input: number): ChatMessage => ({
  id: modelId,
  role: 'assistant',
  parts: [],
  metadata: {
    schemaVersion: 1,
    createdAt: 0,
    model: ref(modelId),
    usage: { input, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 },
  },
})

test('US-6 each loaded reply costs what its own model asks, the rest what the session’s does', () => {
  const models = [priced('dear', 10), priced('cheap', 1)]
  const messages = [reply('dear', MILLION), reply('cheap', MILLION)]
  expect(sessionCost(usage, messages, ref('cheap'), models)).toBe(10 + 1 + 1)
})

test('US-6 tokens without a known price have no known cost, no tokens cost nothing, and the server’s cost comes first', () => {
  expect(sessionCost(usage, [], ref('unpriced'), [modelInfo('unpriced')])).toBeNull()
  expect(sessionCost({ ...usage, promptTokens: 0 }, [], ref('unpriced'), [modelInfo('unpriced')])).toBe(0)
  expect(sessionCost({ ...usage, costUsd: 7 }, [], ref('free'), [])).toBe(7)
})

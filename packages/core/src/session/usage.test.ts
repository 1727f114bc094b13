import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createLabModels } from '@palimpsest/testing/lab-models.ts'
import { type ChatUsage, failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../domain/message/message.ts'

const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }
const usage = (prompt: number, cached: number, completion: number, reasoning: number): ChatUsage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
const usageOf = (messages: ChatMessage[]) => messages.at(-1)?.metadata?.usage

test('US-1 US-2 a reply counts the sum of its steps, each token under one of five names', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(
    reply({ toolCalls: [todo], usage: usage(100, 40, 30, 10) }),
    reply({ text: 'Done', usage: usage(150, 90, 20, 5) }),
  )
  const { messages } = await lab.turn('Plan')
  expect(usageOf(messages)).toEqual({
    input: 120,
    cacheRead: 130,
    cacheWrite: 0,
    output: 35,
    reasoning: 15,
    steps: 2,
  })
})

test('US-3 a session counts the sum of its replies, hidden ones included, and their total', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(
    reply({ text: 'One', usage: usage(100, 0, 10, 0) }),
    reply({ text: 'Other', usage: usage(100, 60, 20, 5) }),
  )
  const { sessionId, messages } = await lab.turn('Go')
  const { runId } = await lab.sessions.resend({ sessionId, messageId: messages[0]?.id ?? '' })
  await lab.chunksOf(sessionId, runId)
  const session = await lab.sessions.get(sessionId)
  expect(session.usage).toEqual({
    promptTokens: 140,
    completionTokens: 25,
    reasoningTokens: 5,
    cacheRead: 60,
    cacheWrite: 0,
    totalTokens: 230,
    costUsd: null,
  })
  expect((await lab.sessions.messages({ sessionId })).items).toHaveLength(2)
})

test('US-4 the window holds what the last step counted, not the sum of all', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(
    reply({ toolCalls: [todo], usage: usage(1_000, 0, 100, 0) }),
    reply({ text: 'Done', usage: usage(1_200, 1_000, 50, 0) }),
  )
  const { sessionId } = await lab.turn('Plan')
  expect((await lab.sessions.get(sessionId)).contextWindow).toEqual({
    used: 1_250,
    limit: 128_000,
    usable: 128_000 - 1_024,
    estimated: false,
  })
})

test('US-4 tokens that no provider has counted yet are estimated, and marked so', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done', usage: usage(1_000, 0, 100, 0) }), failure(401, 'No key'))
  const { sessionId } = await lab.turn('Go')
  await lab.turn('x'.repeat(3_800), sessionId)
  const { used, estimated } = (await lab.sessions.get(sessionId)).contextWindow
  expect(estimated).toBe(true)
  expect(used).toBeGreaterThan(1_100 + 900)
  expect(used).toBeLessThan(1_100 + 1_200)
})

test('US-4 a first reply that was stopped is estimated with its question', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['y'.repeat(3_800)], ending: 'stall' }))
  const { sessionId } = await lab.say('x'.repeat(3_800))
  for await (const chunks of lab.sessions.stream({ sessionId })) {
    if (chunks.some(({ type }) => type === 'text-delta')) break
  }
  await lab.sessions.abort(sessionId)
  const { used, estimated } = (await lab.sessions.get(sessionId)).contextWindow
  expect(estimated).toBe(true)
  expect(used).toBeGreaterThanOrEqual(2_000)
})

test('US-2 US-4 a provider that counts nothing leaves unknown counts and an estimated window', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done', usage: null }))
  const { sessionId, messages } = await lab.turn('Go')
  expect(usageOf(messages)).toEqual({
    input: 0,
    output: 0,
    reasoning: 0,
    cacheRead: 0,
    cacheWrite: 0,
    steps: 1,
    unknown: true,
  })
  const { contextWindow } = await lab.sessions.get(sessionId)
  expect(contextWindow.estimated).toBe(true)
  expect(contextWindow.used).toBeGreaterThan(100)
})

test('US-6 core computes no cost', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId } = await lab.turn('Go')
  expect((await lab.sessions.get(sessionId)).costUsd).toBeNull()
})

test('MO-4 a model of unknown limits reads unknown and answers like any other', async () => {
  await using lab = await openCoreLab()
  Object.assign(
    lab.ports.models,
    createLabModels(lab.provider.baseURL, { contextLimit: null, maxOutput: null }),
  )
  lab.provider.script(reply({ text: 'Done', usage: usage(5_000_000, 0, 1, 0) }))
  const { sessionId, messages } = await lab.turn('Go')
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  expect((await lab.sessions.get(sessionId)).contextWindow).toMatchObject({ limit: null, usable: null })
  expect(lab.steps[0]?.body).not.toHaveProperty('max_tokens')
})

test('US-3 a report sums replies by model and day', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(
    reply({ text: 'One', usage: usage(10, 0, 5, 0) }),
    reply({ text: 'Two', usage: usage(20, 0, 5, 0) }),
  )
  const { sessionId } = await lab.turn('Go')
  await lab.turn('Go on', sessionId)
  const { rows, counts } = await lab.sessions.usageReport({})
  expect(rows).toMatchObject([
    { model: { providerId: 'lab', modelId: 'm1' }, messages: 2, usage: { input: 30, output: 10 } },
  ])
  expect(counts).toEqual({ sessions: 1, messages: 4 })
  await expect(lab.sessions.usageReport({ since: 5, until: 5 })).rejects.toMatchObject({ field: 'since' })
})

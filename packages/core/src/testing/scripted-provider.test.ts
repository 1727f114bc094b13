import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, streamText } from 'ai'
import { expect, test } from 'vitest'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { deltas, failure, type ReplyScript, reply } from './scripted-provider-reply.ts'

const modelOf = (provider: ScriptedProvider) =>
  createOpenAICompatible({ name: 'scripted', baseURL: provider.baseURL, includeUsage: true })('m1')

function partsOf(provider: ScriptedProvider, script: ReplyScript) {
  provider.script(reply(script))
  const result = streamText({
    model: modelOf(provider),
    prompt: 'hi',
    maxRetries: 0,
    onError: () => undefined,
  })
  return Array.fromAsync(result.fullStream)
}

test('RL-3 a scripted reply arrives as reasoning, text, tool call and usage through the real package', async () => {
  await using provider = await startScriptedProvider()
  const parts = await partsOf(provider, {
    reasoning: ['hm', ' so'],
    text: ['Hel', 'lo'],
    toolCalls: [{ name: 'todo', input: { items: ['a', 'b'] } }],
    usage: { prompt_tokens: 7, completion_tokens: 5 },
  })
  const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))
  expect(text).toEqual(['Hel', 'lo'])
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ input: { items: ['a', 'b'] } })
  expect(parts.at(-1)).toMatchObject({
    type: 'finish',
    finishReason: 'tool-calls',
    totalUsage: { inputTokens: 7, outputTokens: 5 },
  })
  expect(provider.requests[0]?.body).toMatchObject({ model: 'm1', stream: true })
})

test('RL-3 a cut, garbage and an error in the stream each reach the caller as an error', async () => {
  await using provider = await startScriptedProvider()
  for (const ending of ['cut', 'garbage', { error: { message: 'boom' } }] as const) {
    const parts = await partsOf(provider, { text: ['a'], ending })
    expect(parts.some((part) => part.type === 'error')).toBe(true)
  }
  expect(await provider.closed(0)).toMatchObject({ by: 'provider' })
})

test('RL-3 a scripted failure carries its status and headers', async () => {
  await using provider = await startScriptedProvider()
  provider.script(failure(429, 'Slow down', { 'retry-after-ms': '250' }))
  const failed = generateText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })
  await expect(failed).rejects.toSatisfy(
    (error) => APICallError.isInstance(error) && error.responseHeaders?.['retry-after-ms'] === '250',
  )
})

test('AB-2 the provider knows when the client hangs up on a stalled reply', async () => {
  await using provider = await startScriptedProvider()
  provider.script(reply({ text: ['a'], ending: 'stall' }))
  const abort = new AbortController()
  const result = streamText({ model: modelOf(provider), prompt: 'hi', abortSignal: abort.signal })
  for await (const part of result.fullStream) if (part.type === 'text-delta') abort.abort()
  expect(await provider.closed(0)).toMatchObject({ by: 'client' })
})

test('RL-3 a burst of 50,000 deltas arrives whole', async () => {
  await using provider = await startScriptedProvider()
  provider.otherwise(reply({ text: deltas(50_000) }))
  const response = await fetch(`${provider.baseURL}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm1', stream: true }),
  })
  const body = await response.text()
  expect(body.match(/"content":"word "/g)).toHaveLength(50_000)
})

test('RL-3 a request that wants no stream gets one answer', async () => {
  await using provider = await startScriptedProvider()
  provider.script(reply({ text: 'never asked for' }))
  provider.intercept((request) => (request.body['stream'] ? null : reply({ text: 'A title' })))
  const { text } = await generateText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })
  expect(text).toBe('A title')
})

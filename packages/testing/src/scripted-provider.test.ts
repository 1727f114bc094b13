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

test('AB-2 the provider records when the client closes a stalled reply', async () => {
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

test('RL-3 a request without streaming gets one answer', async () => {
  await using provider = await startScriptedProvider()
  provider.script(reply({ text: 'never asked for' }))
  provider.intercept((request) => (request.body['stream'] ? null : reply({ text: 'A title' })))
  const { text } = await generateText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })
  expect(text).toBe('A title')
})

test('RL-3 a reply can be held before a delta until the test lets it go', async () => {
  await using provider = await startScriptedProvider()
  const gate = Promise.withResolvers<void>()
  provider.script(reply({ text: ['one ', 'two'], hold: { before: 1, until: gate.promise } }))
  const result = streamText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })
  const reader = result.textStream[Symbol.asyncIterator]()
  expect((await reader.next()).value).toBe('one ')
  gate.resolve()
  expect((await reader.next()).value).toBe('two')
})

test('RL-3 replies are used in order, then the default one, and without one a 500 says so', async () => {
  await using provider = await startScriptedProvider()
  const ask = async () => (await generateText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })).text
  provider.script(reply({ text: 'first' }), (request) =>
    reply({ text: `for ${String(request.body['model'])}` }),
  )
  expect(await ask()).toBe('first')
  expect(await ask()).toBe('for m1')
  await expect(ask()).rejects.toThrow('Nothing is scripted')
  provider.otherwise(reply({ text: 'as always' }))
  expect([await ask(), await ask()]).toEqual(['as always', 'as always'])
})

test('RL-3 a request can be awaited before it arrives', async () => {
  await using provider = await startScriptedProvider()
  const arrived = provider.received(0)
  provider.script(reply({ text: 'hello' }))
  await generateText({ model: modelOf(provider), prompt: 'the question', maxRetries: 0 })
  expect(JSON.stringify((await arrived).body)).toContain('the question')
  expect((await provider.closed(0)).by).toBe('provider')
})

test('RL-3 a reply without usage reports none, and deltas with a pace come at it', async () => {
  await using provider = await startScriptedProvider()
  provider.script(reply({ text: deltas(3), usage: null, everyMs: 10 }))
  const started = performance.now()
  const result = streamText({ model: modelOf(provider), prompt: 'hi', maxRetries: 0 })
  expect(await result.text).toBe('word word word ')
  expect(performance.now() - started).toBeGreaterThanOrEqual(19)
  expect((await result.usage).inputTokens).toBeUndefined()
})

test('RL-3 the server lists the models that it is given', async () => {
  await using provider = await startScriptedProvider({ models: [{ id: 'm1' }] })
  const response = await fetch(`${provider.baseURL}/models`)
  expect(await response.json()).toEqual({ object: 'list', data: [{ id: 'm1' }] })
  expect(provider.requests).toEqual([])
})

import { APICallError, type LanguageModelV4Prompt } from '@ai-sdk/provider'
import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { isStepCount, streamText, tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { countTokens } from '../../../../../packages/core/src/model/usage.ts'
import { createDemoModel } from './demo-model.ts'
import { DEMO_MODELS } from './demo-models.ts'

const [DEMO] = DEMO_MODELS

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

async function ask(text: string, clock = createImpatientClock()) {
  const result = streamText({ model: createDemoModel(DEMO, clock), prompt: text, maxRetries: 0 })
  return {
    text: await result.text,
    reasoning: await result.reasoningText,
    usage: await result.usage,
    waited: clock.slept.reduce((sum, ms) => sum + ms, 0),
  }
}

test('MO-5 the demo model says that it is one, quotes the person and shows markdown of every kind', async () => {
  const { text } = await ask('Why is the sky blue?')
  expect(text).toContain('demo model')
  expect(text).toContain('Why is the sky blue?')
  for (const mark of ['## ', '| --- |', '- [ ] ', '```ts', '$$e^{i\\pi} + 1 = 0$$', '1. '])
    expect(text).toContain(mark)
})

test('MO-5 the same prompt gets the same answer, and follow-ups get other ones', async () => {
  expect((await ask('hello')).text).toBe((await ask('hello')).text)
  const model = createDemoModel(DEMO, createImpatientClock())
  const replies = new Set<string>()
  const prompt: LanguageModelV4Prompt = []
  for (const said of ['hello', 'oh', 'I see', 'go on', 'well']) {
    prompt.push(user(said))
    const { content } = await model.doGenerate({ prompt })
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    prompt.push({ role: 'assistant', content: [{ type: 'text', text }] })
    replies.add(text)
  }
  expect(replies.size).toBe(5)
})

test('MO-5 markdown in what the person said cannot break the answer', async () => {
  const { text } = await ask('**bold** `mono` <script> | cell | [link](x)')
  expect(text).toContain('\\*\\*bold\\*\\* \\`mono\\` \\<script\\>')
})

test('MO-5 thinking streams reasoning before the answer and is counted apart', async () => {
  const { text, reasoning, usage } = await ask('Think about something')
  expect(reasoning).toContain('minute hand')
  expect(text).toContain('**22 times**')
  expect(countTokens(usage).reasoning).toBeGreaterThan(100)
})

test('MO-5 a long answer has about 60 kB', async () => {
  const { text } = await ask('Write a very long answer')
  expect(text.length).toBeGreaterThan(55_000)
  expect(text.length).toBeLessThan(64_000)
})

test('MO-5 a slow answer takes about a minute', async () => {
  const { waited } = await ask('Answer slowly, please')
  expect(waited).toBeGreaterThan(45_000)
  expect(waited).toBeLessThan(75_000)
})

test('MO-5 an answer never has more tokens than it may', async () => {
  const model = createDemoModel(DEMO, createImpatientClock())
  const result = streamText({ model, prompt: 'a long answer', maxOutputTokens: 100, maxRetries: 0 })
  expect((await result.usage).outputTokens).toBe(100)
  expect(await result.finishReason).toBe('length')
})

test('MO-5 a rate limit refuses twice, naming the wait, and then answers', async () => {
  const model = createDemoModel(DEMO, createImpatientClock())
  const call = async () => await model.doGenerate({ prompt: [user('Show me a rate limit')] })
  const first = await call().catch((error: unknown) => error)
  const second = await call().catch((error: unknown) => error)
  expect(APICallError.isInstance(first) && first.responseHeaders).toEqual({ 'retry-after-ms': '1500' })
  expect(APICallError.isInstance(second) && second.responseHeaders).toEqual({ 'retry-after': '2' })
  expect((await call()).finishReason.unified).toBe('stop')
  await expect(call()).rejects.toMatchObject({ statusCode: 429 })
})

test('MO-5 a failure on request is a clean error of the provider', async () => {
  const model = createDemoModel(DEMO, createImpatientClock())
  await expect(model.doGenerate({ prompt: [user('fail')] })).rejects.toMatchObject({ statusCode: 400 })
})

test('MO-5 tools are called with streamed input, one step after the other, and summed up', async () => {
  const todos = z.array(
    z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
  )
  const calls: string[] = []
  const done = (name: string): string => {
    calls.push(name)
    if (name === 'read') throw new Error('There is no such file.')
    return 'ok'
  }
  const result = streamText({
    model: createDemoModel(DEMO, createImpatientClock()),
    prompt: 'Use your tools',
    stopWhen: isStepCount(10),
    tools: {
      todo: tool({ inputSchema: z.object({ todos }), execute: () => done('todo') }),
      read: tool({ inputSchema: z.object({ path: z.string() }), execute: () => done('read') }),
    },
  })
  const parts = await Array.fromAsync(result.fullStream)
  expect(calls).toEqual(['todo', 'read', 'todo'])
  expect(parts.filter((part) => part.type === 'tool-input-delta').length).toBeGreaterThan(3)
  expect(await result.text).toContain('3 tool calls, of which 1 failed')
})

test('MO-5 the reply in a session without tools says so', async () => {
  expect((await ask('Use your tools')).text).toContain('gave me none')
})

test('MO-5 a request for a title is answered with one line of at most eight words', async () => {
  const model = createDemoModel(DEMO, createImpatientClock())
  for (const said of [
    'Can you tell me how a suspension bridge holds its own weight?',
    'hi',
    'diagram please',
    '🙂',
  ]) {
    const prompt: LanguageModelV4Prompt = [
      { role: 'system', content: 'Give this conversation a title.' },
      user(said),
    ]
    const { content } = await model.doGenerate({ prompt })
    const title = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    expect(title, said).toMatch(/^\S+( \S+){0,7}$/)
  }
})

test('MO-5 what an earlier call has sent is counted as read from the cache', async () => {
  const model = createDemoModel(DEMO, createImpatientClock())
  const earlier: LanguageModelV4Prompt = [
    user('hello there, demo'),
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
  ]
  const { usage } = await model.doGenerate({ prompt: [...earlier, user('go on')] })
  expect(usage.inputTokens.cacheRead).toBeGreaterThan(0)
  expect((usage.inputTokens.noCache ?? 0) + (usage.inputTokens.cacheRead ?? 0)).toBe(usage.inputTokens.total)
})

test('MO-5 a prompt beyond the window is refused as one', async () => {
  const small = DEMO_MODELS.find((info) => info.contextLimit === 4_096) ?? DEMO
  const model = createDemoModel(small, createImpatientClock())
  await expect(model.doGenerate({ prompt: [user('word '.repeat(5_000))] })).rejects.toThrow(
    'prompt is too long',
  )
})

test('AB-2 an abort ends the demo stream at once', async () => {
  const clock = createImpatientClock()
  const abort = new AbortController()
  const { stream } = await createDemoModel(DEMO, clock).doStream({
    prompt: [user('slow')],
    abortSignal: abort.signal,
  })
  const reader = stream.getReader()
  await reader.read()
  await reader.read()
  abort.abort()
  const drained = async () => {
    while (!(await reader.read()).done);
  }
  await expect(drained()).rejects.toMatchObject({ name: 'AbortError' })
  expect(clock.slept.length).toBeLessThan(10)
})

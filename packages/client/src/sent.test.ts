import type { ChatMessage } from '@palimpsest/core/domain'
import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chatTransport } from './chat-transport.ts'
import { appCodeOf, isRefusal, isUnreachable } from './failures.ts'
import { retryDelay, untilReached } from './retry.ts'
import { createSentIds } from './sent-ids.ts'
import { toSentParts } from './sent-parts.ts'
import { createFakeApi, refusal, unreachable, userMessage } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('CL-1 only text and files of a message are sent, in their order', () => {
  const message: ChatMessage = {
    id: 'm',
    role: 'user',
    parts: [
      { type: 'text', text: 'one', state: 'done' },
      { type: 'data-note', data: 'private' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==', filename: 'a.png' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,BB==' },
      { type: 'reasoning', text: 'not mine' },
      { type: 'text', text: 'two' },
    ],
  }
  expect(toSentParts(message)).toEqual([
    { type: 'text', text: 'one' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==', filename: 'a.png' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,BB==' },
    { type: 'text', text: 'two' },
  ])
})

test('CL-1 a message keeps its id until it is replaced, and then has the latest one', () => {
  const ids = createSentIds()
  expect(ids.next('a', false)).toBe('a')
  expect(ids.of('a')).toBe('a')
  const second = ids.next('a', true)
  expect(second).toMatch(/^msg_/)
  expect([ids.of('a'), ids.next('a', false)]).toEqual([second, second])
  const third = ids.next('a', true)
  expect(third).not.toBe(second)
  expect(ids.of('a')).toBe(third)
  expect(ids.of('b')).toBe('b')
})

test('AP-5 a refusal, a failure of the server and a missing answer are distinguished', () => {
  const failures = [refusal(404, 'X'), refusal(500, 'X'), unreachable(), new Error('ours'), null]
  expect(failures.map(isRefusal)).toEqual([true, false, false, false, false])
  expect(failures.map(isUnreachable)).toEqual([false, false, true, false, false])
  expect(failures.map(appCodeOf)).toEqual(['X', 'X', null, null, null])
})

test('AP-5 a refused event stream has its status as the code of its cause', () => {
  const refused = Object.assign(new Error('Non-200'), { code: 401 })
  const error = TRPCClientError.from(refused)
  expect([isRefusal(error), isUnreachable(error), appCodeOf(error)]).toEqual([true, false, null])
  const gone = TRPCClientError.from(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  expect([isRefusal(gone), isUnreachable(gone)]).toEqual([false, true])
})

test('CL-1 a call is made seven times at most, and any other failure ends it at once', async () => {
  let calls = 0
  const failing = (error: unknown) => () => {
    calls += 1
    return Promise.reject(error)
  }
  const given = untilReached(failing(unreachable()))
  given.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect(given).rejects.toSatisfy(isUnreachable)
  expect(calls).toBe(7)
  for (const error of [refusal(409, 'CONFLICT'), refusal(500, 'INTERNAL'), new Error('ours')]) {
    calls = 0
    await expect(untilReached(failing(error))).rejects.toBe(error)
    expect(calls).toBe(1)
  }
  expect([1, 2, 3, 7, 50].map(retryDelay)).toEqual([100, 200, 400, 5000, 5000])
})

type Request = Parameters<ReturnType<typeof chatTransport>['sendMessages']>[0]
const request = (over: Partial<Request> = {}): Request => ({
  trigger: 'submit-message',
  chatId: 's',
  messageId: undefined,
  messages: [userMessage('m')],
  abortSignal: undefined,
  ...over,
})

test('CL-1 a chat without a session creates it with its first message, once, however often it is sent', async () => {
  const fake = createFakeApi()
  let known = false
  fake.answer('session.create', () => {
    known = true
    return {}
  })
  fake.answer('session.send', () => {
    if (!known) throw refusal(404, 'SESSION_NOT_FOUND')
    return { messageId: 'm', runId: 'r', queued: false }
  })
  await chatTransport(fake.api).sendMessages(request())
  expect(fake.calls.map(({ path }) => path)).toEqual(['session.send', 'session.create', 'session.send'])
  expect(fake.streams.map(({ input }) => input)).toEqual([{ sessionId: 's', runId: 'r' }])
})

test('CL-1 a send contains the message and the chat’s options', async () => {
  const fake = createFakeApi()
  fake.answer('session.send', () => ({ messageId: 'm', runId: 'r', queued: false }))
  const model = { providerId: 'p', modelId: 'x' }
  const transport = chatTransport(fake.api, { send: () => ({ model, steer: true }) })
  await transport.sendMessages(request())
  expect(fake.calls[0]?.input).toEqual({
    sessionId: 's',
    message: { id: 'm', parts: [{ type: 'text', text: 'hi' }] },
    model,
    steer: true,
  })
})

test('CL-1 an unreachable server fails a send with the message that a chat treats as a network error', async () => {
  const fake = createFakeApi()
  fake.answer('session.send', () => Promise.reject(unreachable()))
  const sent = chatTransport(fake.api).sendMessages(request())
  sent.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect(sent).rejects.toThrow(/^network/)
})

test('CL-1 a message without user parts is not sent', async () => {
  const fake = createFakeApi()
  const reply: ChatMessage = { id: 'r', role: 'assistant', parts: [] }
  const transport = chatTransport(fake.api)
  await expect(transport.sendMessages(request({ messages: [] }))).rejects.toThrow('no message of the user')
  await expect(transport.sendMessages(request({ messages: [userMessage('m'), reply] }))).rejects.toThrow(
    'Only messages of the user',
  )
  expect(fake.calls).toEqual([])
})

test('CL-1 a run that is no longer kept, or an unknown one, is not resumed', async () => {
  const fake = createFakeApi()
  fake.answer('session.get', () => ({}))
  const reconnect = () => chatTransport(fake.api).reconnectToStream({ chatId: 's' })
  fake.answer('session.messages', () => ({ items: [] }))
  expect(await reconnect()).toBeNull()
  fake.answer('session.messages', () => ({ items: [userMessage('m', { runId: 'r' })] }))
  expect(await reconnect()).toBeNull()
  expect(fake.streams).toEqual([])
  const reply = { ...userMessage('r', { runId: 'run_r' }), role: 'assistant' }
  fake.answer('session.messages', () => ({ items: [reply] }))
  const gone = reconnect()
  await vi.waitUntil(() => fake.streams.length > 0)
  fake.streams[0]?.started()
  fake.streams[0]?.complete()
  expect(await gone).toBeNull()
})

test('CL-1 a run is replayed although a compaction has come after it', async () => {
  const fake = createFakeApi()
  fake.answer('session.get', () => ({}))
  const reply = { ...userMessage('r', { runId: 'run_r' }), role: 'assistant' }
  const summary = { ...userMessage('s', { compactionId: 'op', summary: true }), role: 'assistant' }
  fake.answer('session.messages', () => ({ items: [userMessage('m'), reply, summary] }))
  const resumed = chatTransport(fake.api).reconnectToStream({ chatId: 's' })
  await vi.waitUntil(() => fake.streams.at(-1)?.open)
  const stream = fake.streams.at(-1)
  expect(stream?.input).toMatchObject({ runId: 'run_r' })
  stream?.started()
  stream?.data([{ type: 'start', messageId: 'r' }, { type: 'finish' }])
  stream?.complete()
  expect(await Array.fromAsync((await resumed) ?? [])).toHaveLength(2)
})

test('CL-1 a run that has just ended is replayed, and can be left', async () => {
  const fake = createFakeApi()
  fake.answer('session.get', () => ({}))
  const reply = { ...userMessage('r', { runId: 'run_r' }), role: 'assistant' }
  fake.answer('session.messages', () => ({ items: [reply] }))
  for (const leave of [false, true]) {
    const resumed = chatTransport(fake.api).reconnectToStream({ chatId: 's' })
    await vi.waitUntil(() => fake.streams.at(-1)?.open)
    const stream = fake.streams.at(-1)
    stream?.started()
    stream?.data([{ type: 'start', messageId: 'r' }, { type: 'finish' }])
    const chunks = await resumed
    if (leave) {
      await chunks?.cancel()
      expect(stream?.open).toBe(false)
    } else {
      stream?.complete()
      expect(await Array.fromAsync(chunks ?? [])).toEqual([
        { type: 'start', messageId: 'r' },
        { type: 'finish' },
      ])
    }
  }
})

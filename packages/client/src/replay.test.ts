import type { ChatChunk, ChatMessage } from '@palimpsest/core/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replayLastRun } from './replay.ts'
import { createFakeApi, refusal, unreachable, userMessage } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const reply = (id: string, metadata: Partial<NonNullable<ChatMessage['metadata']>> = {}): ChatMessage => ({
  ...userMessage(id, metadata),
  role: 'assistant',
})
const WHOLE: ChatChunk[] = [
  { type: 'start', messageId: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'finish' },
]
const TALK = [userMessage('m', { runId: 'run_1' }), reply('r', { runId: 'run_1' })]

function replay(items: readonly ChatMessage[], signal?: AbortSignal) {
  const fake = createFakeApi()
  fake.answer('session.messages', () => ({ items }))
  fake.answer('session.abort', () => ({ aborted: true }))
  const replayed = replayLastRun(fake.api, 'ses_1', signal)
  replayed.catch(() => undefined)
  const upstream = async () => {
    await vi.waitUntil(() => fake.streams.length > 0)
    return fake.streams[0]
  }
  return { fake, replayed, upstream }
}

test.each([
  ['nothing was said', []],
  ['the last question has no reply yet', [userMessage('m', { runId: 'run_1' })]],
  ['a question came after the last reply', [...TALK, userMessage('n', { runId: 'run_2' })]],
  ['the last reply names no run', [userMessage('m'), reply('r')]],
])('LS-5 nothing is replayed where %s', async (_, items) => {
  const { fake, replayed } = replay(items)
  expect(await replayed).toBeNull()
  expect(fake.streams).toEqual([])
})

test('LS-5 the last reply is replayed from its first chunk, each chunk once', async () => {
  const { fake, replayed, upstream } = replay(TALK)
  const stream = await upstream()
  stream?.started()
  stream?.data(WHOLE.slice(0, 1))
  const chunks = await replayed
  stream?.data(WHOLE.slice(1))
  stream?.complete()
  expect(await Array.fromAsync(chunks ?? [])).toEqual(WHOLE)
  expect(stream?.input).toEqual({ sessionId: 'ses_1', runId: 'run_1' })
  expect(fake.calls.map(({ path }) => path)).toEqual(['session.messages'])
})

test('LS-5 a replay that is cut begins again and shows no chunk twice', async () => {
  const { fake, replayed, upstream } = replay(TALK)
  const stream = await upstream()
  stream?.started()
  stream?.data(WHOLE.slice(0, 2))
  const chunks = await replayed
  stream?.error(unreachable())
  await vi.advanceTimersByTimeAsync(100)
  const again = fake.streams[1]
  again?.started()
  again?.data(WHOLE)
  again?.complete()
  expect(await Array.fromAsync(chunks ?? [])).toEqual(WHOLE)
})

test.each([
  ['is over before its first chunk', (): null => null],
  ['is refused', () => refusal(404, 'SESSION_NOT_FOUND')],
])('LS-5 a run whose replay %s is not resumed', async (_, failure) => {
  const { replayed, upstream } = replay(TALK)
  const stream = await upstream()
  stream?.started()
  const error = failure()
  if (error === null) stream?.complete()
  else stream?.error(error)
  expect(await replayed).toBeNull()
})

test('LS-5 a replay whose rest is lost fails, so that the page reads the stored reply', async () => {
  const { replayed, upstream } = replay(TALK)
  const stream = await upstream()
  stream?.started()
  stream?.data(WHOLE.slice(0, 2))
  const reader = (await replayed)?.getReader()
  expect((await reader?.read())?.value).toEqual(WHOLE[0])
  expect((await reader?.read())?.value).toEqual(WHOLE[1])
  stream?.complete()
  await expect(reader?.read()).rejects.toThrow(/^network/)
})

test('LS-1 a replay that is left detaches and stops no run', async () => {
  const { fake, replayed, upstream } = replay(TALK)
  const stream = await upstream()
  stream?.started()
  stream?.data(WHOLE.slice(0, 1))
  await (await replayed)?.cancel()
  expect(stream?.open).toBe(false)
  expect(fake.calls.map(({ path }) => path)).toEqual(['session.messages'])
})

test('CL-1 a replay that was stopped before it began attaches to nothing', async () => {
  const { fake, replayed } = replay(TALK, AbortSignal.abort())
  expect(await replayed).toBeNull()
  expect(fake.streams).toEqual([])
})

test('AP-5 a session that is refused is reported once', async () => {
  const fake = createFakeApi()
  const no = refusal(404, 'SESSION_NOT_FOUND')
  fake.answer('session.messages', () => Promise.reject(no))
  await expect(replayLastRun(fake.api, 'ses_1', undefined)).rejects.toBe(no)
  expect(fake.calls).toHaveLength(1)
})

test('AP-2 the last reply is looked up again while the server can’t be reached', async () => {
  const fake = createFakeApi()
  let lost = 2
  fake.answer('session.messages', () => (lost-- > 0 ? Promise.reject(unreachable()) : { items: [] }))
  const replayed = replayLastRun(fake.api, 'ses_1', undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await replayed).toBeNull()
  expect(fake.calls).toHaveLength(3)
})

import type { ChatChunk } from '@palimpsest/core/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRunStream } from './run-stream.ts'
import { createFakeApi, refusal, unreachable } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const RUN = { sessionId: 's', runId: 'r' }
const text = (delta: string): ChatChunk => ({ type: 'text-delta', id: 't', delta })
const WHOLE: ChatChunk[] = [{ type: 'text-start', id: 't' }, text('one '), text('two'), { type: 'finish' }]

function open(signal?: AbortSignal) {
  const fake = createFakeApi()
  fake.answer('session.abort', () => ({ aborted: true }))
  const stream = createRunStream(fake.api, RUN, signal)
  const read = Array.fromAsync(stream)
  read.catch(() => undefined)
  return { fake, read, upstream: fake.streams[0] }
}

test('CL-1 a run is read to its end, without stopping it', async () => {
  const { fake, read, upstream } = open(new AbortController().signal)
  upstream?.started()
  for (const chunk of WHOLE) upstream?.data([chunk])
  upstream?.complete()
  expect(await read).toEqual(WHOLE)
  expect(fake.calls).toEqual([])
})

test('CL-1 an abort at any moment of a run stops that run on the server, once, and ends the stream', async () => {
  for (let after = 0; after <= WHOLE.length; after++) {
    const stop = new AbortController()
    const { fake, read, upstream } = open(stop.signal)
    upstream?.started()
    for (const chunk of WHOLE.slice(0, after)) upstream?.data([chunk])
    stop.abort()
    for (const chunk of WHOLE.slice(after)) upstream?.data([chunk])
    upstream?.complete()
    expect(await read).toEqual(WHOLE.slice(0, after))
    expect(fake.calls).toEqual([{ path: 'session.abort', input: RUN }])
    expect(upstream?.open).toBe(false)
  }
})

test('CL-1 an abort before the stream began stops the run without ever attaching', async () => {
  const { fake, read } = open(AbortSignal.abort())
  expect(await read).toEqual([])
  expect(fake.streams).toEqual([])
  expect(fake.calls).toEqual([{ path: 'session.abort', input: RUN }])
})

test('CL-1 an abort after the end stops nothing', async () => {
  const stop = new AbortController()
  const { fake, read, upstream } = open(stop.signal)
  upstream?.started()
  upstream?.data(WHOLE)
  upstream?.complete()
  await read
  stop.abort()
  expect(fake.calls).toEqual([])
})

test('CL-1 an abort while the server cannot be reached is repeated until it is', async () => {
  const stop = new AbortController()
  const { fake, read, upstream } = open(stop.signal)
  let tries = 0
  fake.answer('session.abort', () => {
    tries += 1
    if (tries < 3) throw unreachable()
    return { aborted: true }
  })
  upstream?.error(unreachable())
  stop.abort()
  await read
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('LS-1 cancelling the stream detaches, and the run continues', async () => {
  const fake = createFakeApi()
  const reader = createRunStream(fake.api, RUN, new AbortController().signal).getReader()
  fake.streams[0]?.started()
  fake.streams[0]?.data(WHOLE.slice(0, 2))
  await reader.read()
  await reader.cancel()
  expect(fake.streams[0]?.open).toBe(false)
  expect(fake.calls).toEqual([])
})

test('LS-1 an abort after the stream was cancelled stops nothing', async () => {
  const fake = createFakeApi()
  const stop = new AbortController()
  const reader = createRunStream(fake.api, RUN, stop.signal).getReader()
  await reader.cancel()
  stop.abort()
  expect(fake.calls).toEqual([])
})

test('AP-2 a run that is no longer kept fails as a network error, so that the chat offers to resume', async () => {
  const { read, upstream } = open()
  upstream?.started()
  upstream?.data(WHOLE.slice(0, 2))
  upstream?.complete()
  await expect(read).rejects.toThrow(/network/)
  await expect(read).rejects.toBeInstanceOf(TypeError)
})

test('AP-5 reading the stream fails with the refusal', async () => {
  const { read, upstream } = open()
  const no = refusal(404, 'SESSION_NOT_FOUND')
  upstream?.error(no)
  await expect(read).rejects.toBe(no)
})

test('AP-2 a stream that was lost continues where it was', async () => {
  const { fake, read, upstream } = open()
  upstream?.started()
  upstream?.data(WHOLE.slice(0, 2))
  upstream?.error(unreachable())
  await vi.advanceTimersByTimeAsync(100)
  fake.streams[1]?.started()
  fake.streams[1]?.data(WHOLE)
  fake.streams[1]?.complete()
  expect(await read).toEqual(WHOLE)
})

import type { SessionEvent } from '@palimpsest/core/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firedRun } from './fired-run.ts'
import { createFakeApi, refusal, unreachable, userMessage } from './testing/fake-api.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const queue = (...ids: string[]): SessionEvent => ({
  type: 'queue',
  sessionId: 's',
  queue: ids.map((id) => userMessage(id)),
})
const added = (id: string, runId?: string): SessionEvent => ({
  type: 'message-added',
  sessionId: 's',
  message: userMessage(id, runId === undefined ? {} : { runId }),
})

function wait(signal?: AbortSignal) {
  const fake = createFakeApi()
  const fired = firedRun(fake.api, { sessionId: 's', messageId: 'm', signal })
  fired.catch(() => undefined)
  return { fake, fired }
}

test('CL-1 the run of a dequeued message is the one that its event names', async () => {
  const { fake, fired } = wait()
  const [events] = fake.events
  events?.data(queue('m', 'other'))
  events?.data(added('other', 'run_other'))
  events?.data(added('m', 'run_m'))
  expect(await fired).toEqual({ runId: 'run_m' })
  expect(events?.open).toBe(false)
  expect(fake.calls).toEqual([])
})

test('CL-1 a message that was dequeued before the subscription is looked up, hidden ones too', async () => {
  const { fake, fired } = wait()
  fake.answer('session.messages', () => ({ items: [userMessage('x'), userMessage('m', { runId: 'run_m' })] }))
  fake.events[0]?.data(queue())
  expect(await fired).toEqual({ runId: 'run_m' })
  expect(fake.calls).toEqual([
    { path: 'session.messages', input: { sessionId: 's', limit: 20, hidden: true } },
  ])
})

test('CL-1 a message that was taken out of the queue is reported as cancelled', async () => {
  const { fake, fired } = wait()
  fake.answer('session.messages', () => ({ items: [userMessage('x', { runId: 'run_x' })] }))
  fake.events[0]?.data(queue('x'))
  await expect(fired).rejects.toThrow('taken out of the queue')
  expect(fake.events[0]?.open).toBe(false)
})

test('CL-1 events missed during a lost connection are replaced by the current queue', async () => {
  const { fake, fired } = wait()
  fake.answer('session.messages', () => ({ items: [userMessage('m', { runId: 'run_m' })] }))
  fake.events[0]?.data(queue('m'))
  fake.events[0]?.error(unreachable())
  await vi.advanceTimersByTimeAsync(100)
  fake.events[1]?.error(unreachable())
  await vi.advanceTimersByTimeAsync(200)
  fake.events[2]?.data(queue())
  expect(await fired).toEqual({ runId: 'run_m' })
  expect(vi.getTimerCount()).toBe(0)
})

test('AP-5 a refusal ends the wait', async () => {
  const { fake, fired } = wait()
  const no = refusal(404, 'SESSION_NOT_FOUND')
  fake.events[0]?.error(no)
  await expect(fired).rejects.toBe(no)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fake.events).toHaveLength(1)
})

test('CL-1 an abort takes the message out of the queue, at any time', async () => {
  for (const moment of ['before', 'while it waits', 'between tries'] as const) {
    const stop = new AbortController()
    if (moment === 'before') stop.abort()
    const { fake, fired } = wait(stop.signal)
    fake.answer('queue.cancel', () => ({ cancelled: true }))
    if (moment === 'between tries') fake.events[0]?.error(unreachable())
    stop.abort()
    await expect(fired).rejects.toMatchObject({ name: 'AbortError' })
    expect(fake.calls).toEqual([{ path: 'queue.cancel', input: { sessionId: 's', messageId: 'm' } }])
    expect(vi.getTimerCount()).toBe(0)
    expect(fake.events.some(({ open }) => open)).toBe(false)
  }
})

test('CL-1 an abort after the message was dequeued removes nothing', async () => {
  const stop = new AbortController()
  const { fake, fired } = wait(stop.signal)
  fake.events[0]?.data(added('m', 'run_m'))
  await fired
  stop.abort()
  expect(fake.calls).toEqual([])
})

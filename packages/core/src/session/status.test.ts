import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/session/event.ts'
import type { SessionStatus } from '../domain/session/status.ts'

const say = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

test('ST-2 a late joiner gets the current status, window and queue first, and then each change', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['One'], ending: 'stall' }))
  const { sessionId, runId } = await lab.say('Go')
  await lab.say('Later', sessionId)
  const events = lab.sessions.events(sessionId)[Symbol.asyncIterator]()
  const first = [await events.next(), await events.next(), await events.next()].map(({ value }) => value)
  expect(first).toMatchObject([
    { type: 'status', status: { state: 'busy', runId } },
    { type: 'usage', contextWindow: { limit: 128_000 } },
    { type: 'queue', queue: [{ parts: [{ text: 'Later' }] }] },
  ])
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'busy', runId })
  await events.return?.()
})

test('ST-2 a subscription to what does not exist fails', async () => {
  await using lab = await openCoreLab()
  const events = lab.sessions.events('ses_unknown')[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('ST-1 a run is busy from its start to its end, each published once', async () => {
  await using lab = await openCoreLab()
  const statuses: SessionStatus['state'][] = []
  using _listening = lab.ports.events.subscribe(null, (event: SessionEvent) => {
    if (event.type === 'status') statuses.push(event.status.state)
  })
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId } = await lab.turn('Go')
  expect(statuses).toEqual(['busy', 'idle'])
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
})

test('ST-3 QU-1 of many sends at once exactly one runs, and the others wait in the queue', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(reply({ text: ['Hm'], ending: 'stall' }))
  const { id: sessionId } = await lab.sessions.create({})
  const texts = Array.from({ length: 20 }, (_, index) => `Message ${index}`)
  const results = await Promise.all(texts.map((text) => lab.sessions.send({ sessionId, message: say(text) })))
  expect(results.filter(({ queued }) => !queued)).toHaveLength(1)
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(19)
  expect(lab.core.activeRuns).toBe(1)
})

test('ST-3 exactly one of many other concurrent starts wins, and the others are refused as busy', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }), reply({ text: ['Hm'], ending: 'stall' }))
  const { sessionId, messages } = await lab.turn('Go')
  const messageId = messages[0]?.id ?? ''
  const starts = Array.from({ length: 10 }, () => lab.sessions.resend({ sessionId, messageId }))
  const settled = await Promise.allSettled(starts)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of settled) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SESSION_BUSY' })
  }
  const edit = lab.sessions.send({ sessionId, message: say('Edited'), replaceMessageId: messageId })
  await expect(edit).rejects.toMatchObject({ code: 'SESSION_BUSY' })
})

const waits: { name: string; headers: () => Record<string, string>; min: number; max: number }[] = [
  { name: 'in milliseconds', headers: () => ({ 'retry-after-ms': '1234' }), min: 1_234, max: 1_234 },
  { name: 'in seconds', headers: () => ({ 'retry-after': '7' }), min: 7_000, max: 7_000 },
  {
    name: 'as a date',
    headers: () => ({ 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
    min: 15_000,
    max: 20_000,
  },
]

test.for(waits)(
  'ST-4 a provider that says $name how long to wait is taken at its word',
  async ({ headers, min, max }) => {
    const clock = createImpatientClock()
    await using lab = await openCoreLab({ clock })
    lab.provider.script(failure(429, 'Slow down', headers()), reply({ text: 'Now' }))
    const { messages, chunks } = await lab.turn('Go')
    expect(clock.slept).toHaveLength(1)
    expect(clock.slept[0]).toBeGreaterThanOrEqual(min)
    expect(clock.slept[0]).toBeLessThanOrEqual(max)
    expect(messages[1]?.parts.at(-1)).toMatchObject({ text: 'Now' })
    expect(chunks.filter(({ type }) => type === 'start' || type === 'start-step')).toHaveLength(2)
  },
)

test('ST-4 tries double their wait, say why, and end after three', async () => {
  const clock = createImpatientClock()
  await using lab = await openCoreLab({ clock })
  const retries: SessionStatus[] = []
  using _listening = lab.ports.events.subscribe(null, (event) => {
    if (event.type === 'status' && event.status.state === 'retrying') retries.push(event.status)
  })
  lab.provider.otherwise(failure(503, 'Overloaded'))
  await lab.turn('Go')
  expect(clock.slept).toEqual([500, 1_000])
  expect(retries).toMatchObject([
    { attempt: 1, message: 'The provider is overloaded right now.' },
    { attempt: 2, message: 'The provider is overloaded right now.' },
  ])
})

test('ST-4 a later step is tried again too, and what came before stays', async () => {
  await using lab = await openCoreLab({ clock: createImpatientClock() })
  const todos = [{ content: 'Look', status: 'completed' }]
  lab.provider.script(
    reply({ text: 'First', toolCalls: [{ name: 'todo', input: { todos } }] }),
    failure(500, 'Oops'),
    reply({ text: 'Second' }),
  )
  const { messages } = await lab.turn('Go')
  expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'text',
    'tool-todo',
    'step-start',
    'text',
  ])
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'stop', usage: { steps: 2 } })
})

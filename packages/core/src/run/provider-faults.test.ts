import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock, createImpatientClock, type FakeClock } from '@palimpsest/testing/fake-clock.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { deltas, failure, reply, type ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatChunk } from '../domain/message/message.ts'
import { defineTool } from '../tool/tool.ts'

const ENDS = new Set(['finish', 'abort', 'error'])
const ends = (chunks: ChatChunk[]) => chunks.filter(({ type }) => ENDS.has(type))
const textOf = (chunks: ChatChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')

/** Whatever went wrong in the session, the next message is answered. */
async function expectNextWorks(lab: CoreLab, sessionId: string) {
  lab.provider.script(reply({ text: 'Better' }))
  const next = await lab.turn('Again', sessionId)
  expect(next.messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Better', state: 'done' })
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
}

const statuses: { name: string; answer: ScriptedReply; code: string; tries: number }[] = [
  { name: 'a refused key', answer: failure(401, 'Incorrect API key'), code: 'PROVIDER_ERROR', tries: 1 },
  { name: 'a refused request', answer: failure(400, 'Bad parameter'), code: 'PROVIDER_ERROR', tries: 1 },
  { name: 'a storm of 429', answer: failure(429, 'Slow down'), code: 'RATE_LIMITED', tries: 3 },
  { name: 'a storm of 500', answer: failure(500, 'Oops'), code: 'PROVIDER_ERROR', tries: 3 },
  { name: 'a storm of 503', answer: failure(503, 'Overloaded'), code: 'PROVIDER_ERROR', tries: 3 },
  {
    name: 'a prompt that is too long',
    answer: failure(400, "This model's maximum context length is 8192 tokens."),
    code: 'CONTEXT_EXHAUSTED',
    tries: 1,
  },
]

test.for(statuses)('RL-3 ST-4 $name ends in a named state after as many tries as help', async (fault) => {
  await using lab = await openCoreLab({ clock: createImpatientClock() })
  lab.provider.script(...Array.from({ length: fault.tries }, () => fault.answer))
  const { sessionId, chunks, messages } = await lab.turn('Hi')
  expect(lab.steps).toHaveLength(fault.tries)
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'error', error: { code: fault.code } })
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(ends(chunks)).toHaveLength(1)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error', code: fault.code })
  await expectNextWorks(lab, sessionId)
})

const endings = ['cut', 'garbage', { error: { message: 'The engine broke', type: 'server_error' } }] as const

test.for(endings.map((ending) => ({ ending, name: typeof ending === 'string' ? ending : 'error event' })))(
  'RL-3 RE-3 a reply that ends in the middle with $name keeps what had arrived, and no more',
  async ({ ending }) => {
    await using lab = await openCoreLab({ clock: createImpatientClock() })
    const shown = Promise.withResolvers<void>()
    lab.provider.script(reply({ text: ['One ', 'two '], ending, hold: { before: 2, until: shown.promise } }))
    const { sessionId, runId } = await lab.say('Count')
    await seen(lab, sessionId, 'two')
    shown.resolve()
    const chunks = await lab.chunksOf(sessionId, runId)
    const { items: messages } = await lab.sessions.messages({ sessionId })
    expect(lab.steps).toHaveLength(1)
    expect(textOf(chunks)).toBe('One two ')
    expect(messages[1]?.parts.at(-1)).toEqual({ type: 'text', text: 'One two ', state: 'done' })
    expect(messages[1]).toEqual(await reduceBySdk(chunks))
    expect(messages[1]?.metadata).toMatchObject({ finishReason: 'error', usage: { unknown: true } })
    expect(ends(chunks)).toHaveLength(1)
    await expectNextWorks(lab, sessionId)
  },
)

test.for(['cut', 'garbage'] as const)(
  'RL-3 ST-4 a reply that ends with %s before a word is asked for again and leaves no trace',
  async (ending) => {
    await using lab = await openCoreLab({ clock: createImpatientClock() })
    lab.provider.script(reply({ text: [], ending }), reply({ text: 'Here' }))
    const { messages, chunks } = await lab.turn('Hi')
    expect(lab.steps).toHaveLength(2)
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual(['step-start', 'text'])
    expect(chunks.filter(({ type }) => type === 'start')).toHaveLength(1)
    expect(messages[1]?.metadata?.finishReason).toBe('stop')
  },
)

test('RL-3 a provider that falls silent in the middle is given up, and its connection closed', async () => {
  const clock = createFakeClock()
  await using lab = await openCoreLab({ clock }, { runs: { stallMs: 60_000 } })
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const { sessionId, runId } = await lab.say('Hi')
  await movingOn(clock, seen(lab, sessionId, 'Half'), 25)
  const chunks = await movingOn(clock, lab.chunksOf(sessionId, runId))
  expect((await lab.provider.closed(0)).by).toBe('client')
  expect(textOf(chunks)).toBe('Half')
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata).toMatchObject({
    finishReason: 'error',
    error: { code: 'PROVIDER_ERROR', message: 'The provider did not answer in time.' },
  })
})

test('RL-3 ST-4 a provider that says nothing at all is asked three times', async () => {
  const clock = createFakeClock()
  await using lab = await openCoreLab({ clock }, { runs: { stallMs: 60_000 } })
  lab.provider.script(...Array.from({ length: 3 }, () => reply({ ending: 'stall', text: [] })))
  const { sessionId, runId } = await lab.say('Hi')
  const over = lab.chunksOf(sessionId, runId)
  for (const index of [0, 1, 2]) {
    // The clock must not outrun the request on its real way.
    await movingOn(clock, lab.provider.received(index), index === 0 ? 0 : 100)
    await movingOn(clock, lab.provider.closed(index))
  }
  await movingOn(clock, over)
  expect(lab.steps).toHaveLength(3)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error', code: 'PROVIDER_ERROR' })
})

test('RL-3 TO-1 a tool may take longer than a provider may be silent', async () => {
  const clock = createFakeClock()
  const slow = defineTool({
    id: 'slow',
    description: 'Takes its time',
    input: z.object({}),
    requires: () => [],
    execute: async (_, runtime) => {
      await runtime.clock.sleep(100_000, runtime.signal)
      return { text: 'At last' }
    },
  })
  await using lab = await openCoreLab({ clock }, { agent: { tools: [slow] }, runs: { stallMs: 10_000 } })
  const slept = Promise.withResolvers<void>()
  lab.provider.script(reply({ toolCalls: [{ name: 'slow', input: {} }] }), () => {
    slept.resolve()
    return reply({ text: 'Done' })
  })
  const { sessionId, runId } = await lab.say('Go')
  await movingOn(clock, slept.promise, 1_000)
  await movingOn(clock, lab.chunksOf(sessionId, runId), 25)
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.metadata?.finishReason).toBe('stop')
  expect(items[1]?.parts).toContainEqual(expect.objectContaining({ state: 'output-available' }))
})

test('RL-3 US-2 a reply without usage is stored with unknown counts', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: deltas(5), usage: null }))
  const { sessionId, messages } = await lab.turn('Hi')
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'stop', usage: { unknown: true, steps: 1 } })
  expect((await lab.sessions.get(sessionId)).contextWindow).toMatchObject({ estimated: true })
  await expectNextWorks(lab, sessionId)
})

test('RL-3 a model that is no longer offered ends the run in a named state', async () => {
  await using lab = await openCoreLab()
  const { id: sessionId } = await lab.sessions.create({})
  const open = lab.ports.models.open
  lab.ports.models.open = () => Promise.reject(new Error('secret /etc/path'))
  const { messages } = await lab.turn('Hi', sessionId)
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'error', error: { code: 'INTERNAL' } })
  expect(JSON.stringify(messages)).not.toContain('secret')
  lab.ports.models.open = open
  await expectNextWorks(lab, sessionId)
})

/** Resolves once a viewer of the session's run has read this text. */
async function seen(lab: CoreLab, sessionId: string, text: string) {
  let read = ''
  for await (const chunks of lab.sessions.stream({ sessionId })) {
    read += textOf(chunks)
    if (read.includes(text)) return
  }
}

/** Advances the clock while something is awaited. */
async function movingOn<T>(clock: FakeClock, work: Promise<T>, stepMs = 61_000): Promise<T> {
  let over = false
  const settled = () => {
    over = true
  }
  work.then(settled, settled)
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(stepMs)
  }
  return await work
}

import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock, createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { deltas, type ReplyScript, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import { isNestedBeyond } from '../domain/json/nesting.ts'
import { isToolPart } from '../domain/message/message.ts'
import { PROVIDER_LIMITS } from '../domain/model/provider-limits.ts'

const { answerMs, argumentCharacters, callsPerStep, emptyEvents, nesting, partsPerStep, replyCharacters } =
  PROVIDER_LIMITS

const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `call_${index}`, name: 'todo', input: { todos: [] } }))
const ofSize = (characters: number, pieces: number) => [
  { name: 'todo', input: { todos: ['a'.repeat(characters)] }, pieces },
]

const open = () => openCoreLab({ clock: createImpatientClock() }, {}, { contextLimit: null })

async function expectNextWorks(lab: CoreLab, sessionId: string) {
  lab.provider.script(reply({ text: 'Better' }))
  const { messages } = await lab.turn('Again', sessionId)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Better' })
}

const beyond: { name: string; script: ReplyScript; message: string }[] = [
  { name: '10,000 tool calls', script: { toolCalls: calls(10_000) }, message: `${callsPerStep} tool calls` },
  {
    name: 'arguments of 16 MB',
    script: { toolCalls: ofSize(16 * argumentCharacters, 1_000) },
    message: '1,048,576 characters of arguments',
  },
  {
    name: 'a reply without an end',
    script: { text: deltas(Number.POSITIVE_INFINITY, 'word '.repeat(20_000)) },
    message: `${replyCharacters.toLocaleString('en')} characters`,
  },
]

test.for(beyond)('SX-10 $name ends the run by name and keeps what had come', async ({ script, message }) => {
  await using lab = await open()
  lab.provider.script(reply({ reasoning: ['Let me see.'], ...script }))
  const { sessionId, chunks, messages } = await lab.turn('Hi')
  expect((await lab.provider.closed(0)).by).toBe('client')
  expect(lab.steps).toHaveLength(1)
  expect(messages.at(-1)?.metadata).toMatchObject({
    finishReason: 'error',
    error: { code: 'PROVIDER_ERROR', message: expect.stringContaining(message) },
  })
  expect(messages.at(-1)?.parts[1]).toMatchObject({ type: 'reasoning', text: 'Let me see.' })
  expect(messages.at(-1)).toEqual(await reduceBySdk(chunks))
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error', code: 'PROVIDER_ERROR' })
  await expectNextWorks(lab, sessionId)
})

test('SX-10 as many calls as a step may have are made', async () => {
  await using lab = await open()
  lab.provider.script(reply({ toolCalls: calls(callsPerStep) }), reply({ text: 'Done' }))
  const { messages } = await lab.turn('Hi')
  const made = messages.at(-1)?.parts.filter((part) => isToolPart(part) && part.state === 'output-available')
  expect(made).toHaveLength(callsPerStep)
})

const anthropic = (events: readonly object[]) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  steps: events.map((event) => ({ send: `data: ${JSON.stringify(event)}\n\n` })),
})
const block = (index: number) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'w' } },
  { type: 'content_block_stop', index },
]
const begin = {
  type: 'message_start',
  message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 }, content: [] },
}

const PING = { type: 'ping' }
const EMPTY_TEXT = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }

const odd = [
  {
    name: 'more parts than a step may have',
    events: Array.from({ length: partsPerStep + 1 }, (_, index) => block(index)).flat(),
    message: '2,000 parts',
  },
  {
    name: 'texts without content',
    events: [...block(0).slice(0, 2), ...Array.from({ length: emptyEvents + 1 }, () => EMPTY_TEXT)],
    message: '20,000 events in a row without content',
  },
  {
    name: 'events of which the package makes nothing',
    events: [...block(0).slice(0, 2), ...Array.from({ length: emptyEvents + 1 }, () => PING)],
    message: '20,000 events in a row without content',
  },
  {
    name: 'a thought without an end',
    events: [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      ...Array.from({ length: 30 }, () => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'a'.repeat(100_000) },
      })),
    ],
    message: 'a thought of more than 2,000,000 characters',
  },
]

test.for(odd)('SX-10 $name end the run by name', async ({ events, message }) => {
  await using lab = await openFormatLab('anthropic-messages')
  const turn = await turnOf(lab, anthropic([begin, ...events]))
  expect(turn.message.metadata?.error?.message).toContain(message)
})

test('SX-10 pings between words, however many in all, end no answer', async () => {
  await using lab = await openFormatLab('anthropic-messages')
  const pings = Array.from({ length: emptyEvents - 2 }, () => PING)
  const events = [...block(0), ...pings, ...block(1), ...pings, ...block(2)]
  const end = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }]
  const { message } = await turnOf(lab, anthropic([begin, ...events, ...end, { type: 'message_stop' }]))
  expect(message.metadata).toMatchObject({ finishReason: 'stop' })
})

test.for([
  { name: 'in one delta', text: [`${'words '.repeat(400_000)}`] },
  { name: 'in many deltas', text: deltas(2_400, 'words '.repeat(200)) },
])('SX-10 a text of megabytes $name is stored whole, in parts that can each be read', async ({ text }) => {
  await using lab = await open()
  lab.provider.script(reply({ text }))
  const { sessionId, chunks, messages } = await lab.turn('Hi')
  expect(messages.at(-1)).toEqual(await reduceBySdk(chunks))
  const texts = messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? []
  expect(texts.join('') === [...text].join('')).toBe(true)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(1_000_000)
  await expectNextWorks(lab, sessionId)
})

test('SX-10 an answer that takes longer than two hours ends by name although it never falls silent', async () => {
  const clock = createFakeClock()
  const gate = Promise.withResolvers<void>()
  await using lab = await openCoreLab({ clock }, { runs: { stallMs: 2 * answerMs } }, { contextLimit: null })
  lab.provider.script(reply({ text: ['One ', 'two'], hold: { before: 1, until: gate.promise } }))
  const { sessionId, runId } = await lab.say('Count')
  for await (const chunks of lab.sessions.stream({ sessionId, runId }))
    if (chunks.some(({ type }) => type === 'text-delta')) break
  clock.advance(answerMs + 1)
  gate.resolve()
  expect((await lab.chunksOf(sessionId, runId)).at(-1)).toEqual({
    type: 'error',
    errorText: 'The provider sent an answer that took longer than 2 hours, which is the limit.',
  })
})

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown

test.for([nesting, 3_000])(
  'SX-10 arguments nested deeper than 64 levels are a tool error that says so, and break no later turn',
  async (levels) => {
    await using lab = await open()
    const toolCalls = [{ name: 'todo', input: { todos: deep(levels) } }]
    lab.provider.script(reply({ text: 'Well', toolCalls }), reply({ text: 'I see' }))
    const { sessionId, chunks, messages } = await lab.turn('Hi')
    expect(messages.at(-1)).toEqual(await reduceBySdk(chunks))
    const call = messages.at(-1)?.parts.find(isToolPart)
    expect(call).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('nested deeper than 64 levels'),
      input: JSON.stringify(toolCalls[0]?.input),
    })
    expect(JSON.stringify(lab.steps[1]?.body)).toContain('nested deeper than 64 levels')
    expect(isNestedBeyond(messages, 20)).toBe(false)
    await expectNextWorks(lab, sessionId)
  },
)

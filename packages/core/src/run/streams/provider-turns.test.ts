import {
  begin,
  block,
  type Event,
  end,
  serverCall,
  serverResult,
  text,
} from '@palimpsest/testing/anthropic-events.ts'
import { MCP_STREAM, SHELL_STREAM, wordsOf } from '@palimpsest/testing/hosted-streams.ts'
import { LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { type ProviderStream, recordingOf } from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { openFormatLab, outlineOf, replyOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import { type ChatPart, isToolPart } from '../../domain/message/message.ts'

const ANTHROPIC = 'anthropic-messages'
const STEPS = { agent: { maxSteps: 5 } }

const streamOf = (...events: Event[]): ProviderStream => ({
  folder: ANTHROPIC,
  name: 'written',
  lines: events.map((event) => JSON.stringify(event)),
})

test('RU-4 a call that the provider answers in the same reply is followed by no further request', async () => {
  await using lab = await openFormatLab(SHELL_STREAM.folder, STEPS)
  const { message } = await turnOf(lab, recordingOf(SHELL_STREAM))
  expect(lab.provider.requests).toHaveLength(1)
  expect(message.parts.find(isToolPart)).toMatchObject({ state: 'output-available' })
  expect(message.metadata?.usage?.steps).toBe(1)
  lab.provider.script(recordingOf(wordsOf(SHELL_STREAM.folder)))
  const { id } = (await lab.sessions.list({})).items[0] ?? { id: '' }
  const { messages } = await lab.turn('And then?', id)
  expect(messages.at(-1)?.metadata).not.toHaveProperty('error')
})

test('RU-4 an answer that Anthropic pauses is continued by a request with the answer so far, its open call included', async () => {
  await using lab = await openFormatLab(ANTHROPIC, STEPS)
  const paused = streamOf(
    begin(),
    ...text(0, 'Let me see. '),
    ...serverCall(1, 'web_search', { query: 'ink' }),
    ...end('pause_turn'),
  )
  const found = {
    type: 'web_search_result',
    url: 'https://example.com/',
    title: 'Ink',
    encrypted_content: 'x',
    page_age: null,
  }
  const rest = streamOf(
    begin(),
    ...serverResult(0, 'web_search_tool_result', [found]),
    ...text(1, 'Found.'),
    ...end(),
  )
  lab.provider.script(recordingOf(paused), recordingOf(rest), recordingOf(wordsOf(ANTHROPIC)))
  const { id } = await lab.sessions.create({ title: 'Paused' })
  const { messages, chunks } = await lab.turn('Hi', id)
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'stop', usage: { steps: 2 } })
  const sent = lab.provider.requests[1]?.body['messages']
  expect(Array.isArray(sent) && sent.at(-1)).toMatchObject({
    role: 'assistant',
    content: [{ type: 'text' }, { type: 'server_tool_use', name: 'web_search' }],
  })
  expect(outlineOf(messages[1] ?? { id: '', role: 'assistant', parts: [] })).toContain('text: Found.')
  const next = await lab.turn('And then?', id)
  expect(next.messages.at(-1)?.metadata).not.toHaveProperty('error')
})

test('RU-4 an answer that is paused again and again ends with the last step of its run', async () => {
  await using lab = await openFormatLab(ANTHROPIC, { agent: { maxSteps: 3 } })
  lab.provider.otherwise(recordingOf(streamOf(begin(), ...text(0, 'Still.'), ...end('pause_turn'))))
  const { messages } = await lab.turn('Hi')
  expect(messages[1]?.metadata?.finishReason).toBe('max-steps')
})

const iterations = [
  { type: 'compaction', input_tokens: 60_000, output_tokens: 900, cache_read_input_tokens: 0 },
  { type: 'message', input_tokens: 3_000, output_tokens: 31, cache_read_input_tokens: 400 },
]
const summary = block(
  0,
  { type: 'compaction', content: null },
  { type: 'compaction_delta', content: 'They spoke ' },
  { type: 'compaction_delta', content: 'of ink.' },
)
const compacted = [
  begin(),
  ...summary,
  ...text(1, 'Ink is blue.'),
  ...end('end_turn', { input_tokens: 3_000, cache_read_input_tokens: 400, output_tokens: 31, iterations }),
]

test('US-4 after Anthropic has summarised, the window holds what the last call held, and all calls are counted', async () => {
  const { message } = await replyOf(ANTHROPIC, compacted)
  expect(message.metadata?.window?.tokens).toBe(3_431)
  expect(message.metadata?.usage).toMatchObject({ input: 63_000, output: 931, cacheRead: 400 })
})

test('RL-5 a summary that Anthropic makes is no text of the reply, and goes back to its model as a summary', async () => {
  await using lab = await openFormatLab(ANTHROPIC)
  const { message, chunks, sessionId } = await turnOf(lab, recordingOf(streamOf(...compacted)))
  expect(message).toEqual(await reduceBySdk(chunks))
  expect(outlineOf(message)).toEqual(['text: Ink is blue.'])
  const kept = { anthropic: { type: 'compaction', content: 'They spoke of ink.' } }
  expect(message.parts).toContainEqual({
    type: 'custom',
    kind: 'anthropic.compaction',
    providerMetadata: kept,
  })
  const { items } = await lab.sessions.search({ text: 'spoke' })
  expect(items).toEqual([])
  lab.provider.script(recordingOf(wordsOf(ANTHROPIC)))
  await lab.turn('And then?', sessionId)
  const sent = lab.provider.requests[1]?.body['messages']
  expect(Array.isArray(sent) && sent[1]?.content[0]).toMatchObject({
    type: 'compaction',
    content: 'They spoke of ink.',
  })
})

test('RL-5 the arguments of a call to an MCP server of Anthropic arrive piece by piece and go back whole', async () => {
  await using lab = await openFormatLab(ANTHROPIC)
  const { message, chunks, sessionId } = await turnOf(lab, recordingOf(MCP_STREAM))
  expect(message).toEqual(await reduceBySdk(chunks))
  expect(outlineOf(message)).toEqual(['echo {"words":"hello"} output-available', 'text: It said hello.'])
  const pieces = chunks.flatMap((chunk) => (chunk.type === 'tool-input-delta' ? [chunk.inputTextDelta] : []))
  expect(pieces.join('')).toBe('{"words":"hello"}')
  lab.provider.script(recordingOf(wordsOf(ANTHROPIC)))
  const { messages } = await lab.turn('And then?', sessionId)
  expect(messages.at(-1)?.metadata).not.toHaveProperty('error')
  expect(JSON.stringify(lab.provider.requests[1]?.body)).toContain('"input":{"words":"hello"}')
})

test('RL-8 free text that a model gave to a tool goes back to it', async () => {
  const folder = 'openai-responses'
  await using lab = await openFormatLab(folder, STEPS)
  const item = {
    type: 'custom_tool_call',
    id: 'ctc_1',
    call_id: 'call_1',
    name: 'patch',
    input: '*** Begin Patch',
  }
  const events = [
    { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt-own', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, input: '', status: 'in_progress' },
    },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
    {
      type: 'response.completed',
      response: { id: 'r', output: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
  ]
  const lines = events.map((event) => JSON.stringify(event))
  lab.provider.script(recordingOf({ folder, lines }), recordingOf(wordsOf(folder)))
  await lab.turn('Hi')
  const sent = JSON.stringify(lab.provider.requests[1]?.body)
  expect(sent).toContain('*** Begin Patch')
  expect(sent).not.toContain('"arguments":"{}"')
})

test('RL-8 a result that a provider package cannot write is left out, and the message after it is answered', async () => {
  await using lab = await openFormatLab(ANTHROPIC)
  const { id: sessionId } = await lab.sessions.create({ title: 'Odd' })
  const { runs } = lab.ports.store
  const lease = { runId: 'run_odd', sessionId, startedAt: 1, epoch: 1 }
  const metadata = { schemaVersion: 1 as const, createdAt: 1, runId: lease.runId, model: LAB_MODEL }
  const question: ChatPart = { type: 'text', text: 'Hi' }
  const message = { id: 'msg_odd', sessionId, role: 'user' as const, metadata, parts: [question] }
  await runs.begin(lease, { type: 'message', message, change: null })
  const advice = { input: {}, output: { type: 'advice_of_next_year' }, state: 'output-available' as const }
  const parts: ChatPart[] = [
    { type: 'step-start' },
    { type: 'tool-advisor', toolCallId: 'srvtoolu_1', providerExecuted: true, ...advice },
    { type: 'text', text: 'Done.', state: 'done' },
  ]
  const writes = parts.map((data, index) => ({ id: `prt_odd_${index}`, index, data }))
  const log = { runId: lease.runId, epoch: 1, chunks: [], open: { text: {}, reasoning: {} } }
  await runs.end(
    lease,
    { log, sessionId, messageId: 'msg_reply', metadata, parts: writes, createdAt: 2, at: 2 },
    2,
  )
  lab.provider.script(recordingOf(wordsOf(ANTHROPIC)))
  const { messages } = await lab.turn('And then?', sessionId)
  expect(messages.at(-1)?.metadata).not.toHaveProperty('error')
  expect(lab.provider.requests).toHaveLength(1)
  expect(JSON.stringify(lab.provider.requests[0]?.body)).toContain('Done.')
})

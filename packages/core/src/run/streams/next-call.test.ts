import {
  loadProviderStreams,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import type { ProviderRequest } from '@palimpsest/testing/scripted-provider.ts'
import type { ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

type Event = Record<string, unknown>
type Call = { id: string; at: string }
type Exchange = { calls: string[]; results: string[] }

const isObject = (value: unknown): value is Event => typeof value === 'object' && value !== null
const list = (value: unknown): Event[] => (Array.isArray(value) ? value.filter(isObject) : [])
const word = (value: unknown): string => (typeof value === 'string' ? value : '')

const sse = (folder: string, events: Event[]): ScriptedReply =>
  recordingOf({ folder, lines: events.map((event) => JSON.stringify(event)) })

/** How each format streams text and calls, and where its next request holds calls and their results. */
const formats: { folder: string; asks(calls: Call[]): Event[]; read(body: Event): Exchange }[] = [
  {
    folder: 'openai-chat',
    asks: chatAsks,
    read: readChat,
  },
  {
    folder: 'openai-compatible-chat',
    asks: chatAsks,
    read: readChat,
  },
  {
    folder: 'openai-responses',
    asks: (calls) => [
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt-own', output: [] } },
      ...calls.flatMap(({ id, at }, output_index) => {
        const item = {
          id: `fc_${id}`,
          type: 'function_call',
          call_id: id,
          name: 'look',
          arguments: JSON.stringify({ at }),
        }
        return ['added', 'done'].map((step) => ({
          type: `response.output_item.${step}`,
          output_index,
          item: { ...item, status: step === 'added' ? 'in_progress' : 'completed' },
        }))
      }),
      {
        type: 'response.completed',
        response: { id: 'r', output: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
    ],
    read: (body) => ({
      calls: list(body['input']).flatMap((item) =>
        item['type'] === 'function_call' ? [word(item['call_id'])] : [],
      ),
      results: list(body['input']).flatMap((item) =>
        item['type'] === 'function_call_output' ? [word(item['call_id'])] : [],
      ),
    }),
  },
  {
    folder: 'anthropic-messages',
    asks: (calls) => [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'own',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      ...calls.flatMap(({ id, at }, index) => [
        {
          type: 'content_block_start',
          index,
          content_block: { type: 'tool_use', id, name: 'look', input: {} },
        },
        {
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: JSON.stringify({ at }) },
        },
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ],
    read: (body) => {
      const content = list(body['messages']).flatMap((message) => list(message['content']))
      return {
        calls: content.flatMap((part) => (part['type'] === 'tool_use' ? [word(part['id'])] : [])),
        results: content.flatMap((part) =>
          part['type'] === 'tool_result' ? [word(part['tool_use_id'])] : [],
        ),
      }
    },
  },
]

function chatAsks(calls: Call[]): Event[] {
  const tool_calls = calls.map(({ id, at }, index) => ({
    index,
    id,
    type: 'function',
    function: { name: 'look', arguments: JSON.stringify({ at }) },
  }))
  return [
    { id: 'c', choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ]
}

function readChat(body: Event): Exchange {
  const messages = list(body['messages'])
  return {
    calls: messages.flatMap((message) => list(message['tool_calls']).map(({ id }) => word(id))),
    results: messages.flatMap((message) =>
      message['role'] === 'tool' ? [word(message['tool_call_id'])] : [],
    ),
  }
}

const sound = loadProviderStreams(WRITTEN_STREAMS_FOLDER)
const TEXT: Record<string, string> = {
  'openai-chat': 'text-cached-prompt',
  'openai-compatible-chat': 'cache-hit-tokens',
  'openai-responses': 'cut-by-output-limit',
  'anthropic-messages': 'redacted-thinking',
  'google-messages': 'tool-use-prompt',
}

/** An answer in words only. */
function words(folder: string): ScriptedReply {
  const stream = sound.find((each) => each.folder === folder && each.name === TEXT[folder])
  if (stream === undefined) throw new Error(`There is no answer in words of ${folder}`)
  return recordingOf(stream)
}

const bodyOf = (request: ProviderRequest | undefined): Event => request?.body ?? {}

test.for(formats)(
  'RU-4 the next request to $folder holds the result of each parallel call once, under its id',
  async (format) => {
    const { folder, asks, read } = format
    await using lab = await openFormatLab(folder, { agent: { maxSteps: 3 } })
    const calls = ['a', 'b', 'c'].map((at) => ({ id: `call_${at}`, at }))
    lab.provider.script(sse(folder, asks(calls)), words(folder))
    const { id } = await lab.sessions.create({ title: 'Calls' })
    await lab.turn('Hi', id)
    expect(lab.provider.requests).toHaveLength(2)
    const { calls: sent, results } = read(bodyOf(lab.provider.requests[1]))
    expect(sent).toEqual(['call_a', 'call_b', 'call_c'])
    expect(results.toSorted()).toEqual(['call_a', 'call_b', 'call_c'])
    expect(JSON.stringify(bodyOf(lab.provider.requests[1]))).toContain('Seen')
  },
)

test.for(formats)(
  'RU-4 the next request to $folder holds the calls of several steps in their order',
  async ({ folder, asks, read }) => {
    await using lab = await openFormatLab(folder, { agent: { maxSteps: 5 } })
    const step = (at: string) => sse(folder, asks([{ id: `call_${at}`, at }]))
    lab.provider.script(step('1'), step('2'), step('3'), words(folder))
    const { id } = await lab.sessions.create({ title: 'Steps' })
    await lab.turn('Hi', id)
    expect(lab.provider.requests).toHaveLength(4)
    const { calls, results } = read(bodyOf(lab.provider.requests[3]))
    expect(calls).toEqual(['call_1', 'call_2', 'call_3'])
    expect(results).toEqual(['call_1', 'call_2', 'call_3'])
  },
)

test.for(formats)(
  'AB-3 the next request to $folder says that a call with cut arguments was stopped, and is answered',
  async ({ folder, asks, read }) => {
    await using lab = await openFormatLab(folder, { agent: { maxSteps: 5 } })
    const whole = [...sse(folder, asks([{ id: 'call_a', at: 'x'.repeat(50) }])).steps]
    const half = whole.slice(0, folder.endsWith('-chat') ? 1 : 2)
    lab.provider.script({ ...sse(folder, []), steps: [...half, { stall: true }] })
    const { id } = await lab.sessions.create({ title: 'Stopped' })
    const { runId } = await lab.say('Hi', id)
    await lab.provider.received(0)
    for await (const chunks of lab.sessions.stream({ sessionId: id, runId })) {
      if (chunks.some(({ type }) => type.startsWith('tool-input'))) break
    }
    await lab.sessions.abort(id)
    lab.provider.script(words(folder))
    const { messages } = await lab.turn('Again', id)
    expect(messages.at(-1)?.metadata).not.toHaveProperty('error')
    const { calls, results } = read(bodyOf(lab.provider.requests.at(-1)))
    expect(results).toEqual(calls)
  },
)

test('RU-4 the next request to Google holds the result of each parallel call, in the order of the calls', async () => {
  const folder = 'google-messages'
  await using lab = await openFormatLab(folder, { agent: { maxSteps: 3 } })
  const parts = ['a', 'b'].map((at) => ({ functionCall: { name: 'look', args: { at } } }))
  const asks = { candidates: [{ content: { parts, role: 'model' }, index: 0, finishReason: 'STOP' }] }
  lab.provider.script(sse(folder, [asks]), words(folder))
  const { id } = await lab.sessions.create({ title: 'Calls' })
  await lab.turn('Hi', id)
  const contents = list(bodyOf(lab.provider.requests[1])['contents'])
  const said = contents.flatMap((content) => list(content['parts']))
  expect(said.flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall['args']] : []))).toEqual([
    { at: 'a' },
    { at: 'b' },
  ])
  expect(said.filter(({ functionResponse }) => isObject(functionResponse))).toHaveLength(2)
  expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user'])
})

test.for([...formats.map(({ folder }) => folder), 'google-messages'])(
  'RL-3 the next request to %s holds a question whose answer failed at once, beside the next one',
  async (folder) => {
    await using lab = await openFormatLab(folder)
    lab.provider.script({ status: 400, headers: {}, steps: [{ send: '{}' }] }, words(folder))
    const { id } = await lab.sessions.create({ title: 'Failed' })
    await lab.turn('First', id)
    const { messages } = await lab.turn('Second', id)
    expect(messages.at(-1)?.metadata).not.toHaveProperty('error')
    const body = bodyOf(lab.provider.requests[1])
    const said = JSON.stringify(body)
    expect(said).toContain('First')
    expect(said).toContain('Second')
  },
)

import { expect, test } from 'vitest'
import {
  loadProviderStreams,
  modelIdOf,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
} from '../../testing/provider-streams.ts'
import { reduceBySdk } from '../../testing/reduce-by-sdk.ts'
import { openFormatLab, outlineOf, turnOf } from '../../testing/stream-lab.ts'

type Event = Record<string, unknown>

async function replyTo(folder: string, ...events: Event[]) {
  await using lab = await openFormatLab(folder)
  const lines = events.map((event) => JSON.stringify(event))
  const turn = await turnOf(lab, recordingOf({ folder, lines }))
  expect(turn.message).toEqual(await reduceBySdk(turn.chunks))
  return turn
}

const begin: Event = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-own',
    content: [],
    usage: { input_tokens: 10, output_tokens: 1 },
  },
}
const block = (index: number, content_block: Event, ...deltas: Event[]): Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const found = {
  type: 'web_search_result',
  url: 'https://example.com/',
  title: 'An example',
  encrypted_content: 'x',
}
const search = block(
  0,
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  { type: 'input_json_delta', partial_json: '{"query":"ink"}' },
)
const hits = block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] })
const text = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })
const end: Event[] = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 20, server_tool_use: { web_search_requests: 1 } },
  },
  { type: 'message_stop' },
]

test('RL-5 a search that the provider makes itself is a call with its result, and the reply ends as it ended', async () => {
  const { message, chunks } = await replyTo(
    'anthropic-messages',
    begin,
    ...search,
    ...hits,
    ...text(2, 'Found.'),
    ...end,
  )
  expect(outlineOf(message).filter((part) => part !== 'source-url')).toEqual([
    'web_search {"query":"ink"} output-available',
    'text: Found.',
  ])
  expect(outlineOf(message)).toContain('source-url')
  expect(message.metadata).toMatchObject({ finishReason: 'stop', usage: { input: 10, output: 20, steps: 1 } })
  expect(message.metadata).not.toHaveProperty('error')
  expect(message.metadata?.usage).not.toHaveProperty('unknown')
  expect(chunks.map(({ type }) => type)).not.toContain('tool-input-error')
})

test('RL-5 a search that the provider failed to make is an error of the call, not of the reply', async () => {
  const failed = block(1, {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
  })
  const { message } = await replyTo(
    'anthropic-messages',
    begin,
    ...search,
    ...failed,
    ...text(2, 'No luck.'),
    ...end,
  )
  expect(outlineOf(message)[0]).toMatch(/^web_search .*output-(error|available)$/)
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 a call of the provider beside one of ours: ours is carried out, and its result awaited', async () => {
  const ours = block(
    2,
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    { type: 'input_json_delta', partial_json: '{"at":1}' },
  )
  const { message } = await replyTo(
    'anthropic-messages',
    begin,
    ...search,
    ...hits,
    ...ours,
    {
      ...end[0],
      delta: { stop_reason: 'tool_use', stop_sequence: null },
    },
    { type: 'message_stop' },
  )
  expect(outlineOf(message)).toContain('look {"at":1} output-available')
  expect(outlineOf(message)).toContain('web_search {"query":"ink"} output-available')
  expect(message.metadata?.finishReason).toBe('max-steps')
})

test('RL-5 code that Google runs itself is a call with its result', async () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
    { text: 'It is 42.' },
  ]
  const { message } = await replyTo('google-messages', {
    candidates: [{ content: { parts, role: 'model' }, index: 0, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 4, totalTokenCount: 12 },
  })
  expect(outlineOf(message)).toEqual([
    'code_execution {"language":"PYTHON","code":"print(6*7)"} output-available',
    'text: It is 42.',
  ])
  expect(message.metadata?.finishReason).toBe('stop')
})

const recorded = loadProviderStreams(RECORDED_STREAMS_FOLDER).filter(({ lines }) =>
  lines.some((line) => /server_tool_use|web_search_call|code_interpreter_call/.test(line)),
)

if (recorded.length === 0)
  test.skip(`RL-5 recorded streams: skipped, there are none in ${RECORDED_STREAMS_FOLDER}`)

test.for(recorded)(
  'RL-5 $folder/$name, where the provider used its own tools, ends without an error',
  async (stream) => {
    await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream))
    const { message } = await turnOf(lab, recordingOf(stream))
    expect(message.metadata).toMatchObject({ finishReason: 'stop' })
    expect(message.metadata).not.toHaveProperty('error')
    expect(message.metadata?.usage).not.toHaveProperty('unknown')
    const next = await followUp(lab, message.id)
    expect(next).toContain('And then?')
  },
)

/** What the next call says to the provider. */
async function followUp(lab: Awaited<ReturnType<typeof openFormatLab>>, after: string): Promise<string> {
  lab.provider.otherwise(() => ({ status: 400, headers: {}, steps: [{ send: '{}' }] }))
  const session = (await lab.sessions.list({})).items[0]
  const { messages } = await lab.turn('And then?', session?.id)
  expect(messages.some(({ id }) => id === after)).toBe(true)
  return JSON.stringify(lab.provider.requests.at(-1)?.body)
}

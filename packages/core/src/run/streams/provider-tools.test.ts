import {
  begin,
  block,
  end,
  json,
  serverCall,
  serverResult,
  text,
} from '@palimpsest/testing/anthropic-events.ts'
import {
  loadSoundStreams,
  modelIdOf,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
} from '@palimpsest/testing/provider-streams.ts'
import { openFormatLab, outlineOf, replyOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

const found = {
  type: 'web_search_result',
  url: 'https://example.com/',
  title: 'An example',
  encrypted_content: 'x',
}
const search = serverCall(0, 'web_search', { query: 'ink' })
const hits = serverResult(1, 'web_search_tool_result', [found])

test('RL-5 a search that the provider makes itself is a call with its result, and the reply ends as it ended', async () => {
  const { message, chunks } = await replyOf('anthropic-messages', [
    begin(),
    ...search,
    ...hits,
    ...text(2, 'Found.'),
    ...end(),
  ])
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
  const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
  const { message } = await replyOf('anthropic-messages', [
    begin(),
    ...search,
    ...serverResult(1, 'web_search_tool_result', content),
    ...text(2, 'No luck.'),
    ...end(),
  ])
  expect(outlineOf(message)[0]).toMatch(/^web_search .*output-(error|available)$/)
  expect(message.metadata?.finishReason).toBe('stop')
})

test('RL-5 a call of the provider beside one of ours: ours is carried out, and its result awaited', async () => {
  const ours = block(2, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }, ...json('{"at":1}'))
  const { message } = await replyOf('anthropic-messages', [
    begin(),
    ...search,
    ...hits,
    ...ours,
    ...end('tool_use'),
  ])
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
  const { message } = await replyOf('google-messages', [
    {
      candidates: [{ content: { parts, role: 'model' }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 4, totalTokenCount: 12 },
    },
  ])
  expect(outlineOf(message)).toEqual([
    'code_execution {"language":"PYTHON","code":"print(6*7)"} output-available',
    'text: It is 42.',
  ])
  expect(message.metadata?.finishReason).toBe('stop')
})

const recorded = loadSoundStreams(RECORDED_STREAMS_FOLDER).filter(({ lines }) =>
  lines.some((line) => /server_tool_use|web_search_call|code_interpreter_call/.test(line)),
)

if (recorded.length === 0)
  test.skip(`RL-5 recorded streams: skipped, there are none in ${RECORDED_STREAMS_FOLDER}`)

test.for(recorded)(
  'RL-5 $folder/$name, where the provider used its own tools, ends without an error',
  async (stream) => {
    await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream))
    const { message } = await turnOf(lab, recordingOf(stream))
    expect(message.metadata?.finishReason).not.toMatch(/error|interrupted|aborted/)
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

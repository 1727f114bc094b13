import { begin, block, type Event, end, json, text } from '@palimpsest/testing/anthropic-events.ts'
import { wordsOf } from '@palimpsest/testing/hosted-streams.ts'
import { recordingOf } from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { openFormatLab, outlineOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ChatMessage, isToolPart } from '../../domain/message/message.ts'
import { defineTool, type Tool } from '../../tool/tool.ts'

const ANTHROPIC = 'anthropic-messages'
const PAGE = 'https://example.com/ink'

/** Tools of ours under the names of hosted ones, whose schemas refuse, default and strip what these take. */
function ownTools(ran: unknown[]): Tool[] {
  const input = z.object({
    url: z.string().max(30),
    format: z.enum(['markdown', 'text']).default('markdown'),
  })
  return ['web_fetch', 'web_search', 'code_execution'].map((id) =>
    defineTool({
      id,
      description: 'Ours',
      input,
      requires: () => [],
      execute(given) {
        ran.push({ [id]: given })
        return Promise.resolve({ text: 'Ours' })
      },
    }),
  )
}

const hosted = (index: number, id: string, name: string, input: unknown): Event[] =>
  block(index, { type: 'server_tool_use', id, name, input: {} }, ...json(JSON.stringify(input)))
const result = (index: number, tool_use_id: string, type: string, content: unknown): Event[] =>
  block(index, { type, tool_use_id, content })

const page = {
  type: 'web_fetch_result',
  url: PAGE,
  retrieved_at: '2026-01-01T00:00:00Z',
  content: {
    type: 'document',
    title: 'Ink',
    citations: { enabled: true },
    source: { type: 'text', media_type: 'text/plain', data: 'Ink is blue.' },
  },
}
const cited = block(
  2,
  { type: 'text', text: '', citations: [] },
  { type: 'text_delta', text: 'Blue.' },
  {
    type: 'citations_delta',
    citation: {
      type: 'char_location',
      cited_text: 'Ink is blue.',
      document_index: 0,
      document_title: 'Ink',
      start_char_index: 0,
      end_char_index: 12,
    },
  },
)
const hit = { type: 'web_search_result', url: PAGE, title: 'Ink', encrypted_content: 'x', page_age: null }
const ran = {
  type: 'bash_code_execution_result',
  stdout: '42',
  stderr: '',
  return_code: 0,
  content: [],
}
const failed = { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' }

const cases: { name: string; events: Event[]; outline: string[]; sent: unknown[] }[] = [
  {
    name: 'a page with citations',
    events: [
      ...hosted(0, 'srv_1', 'web_fetch', { url: PAGE, depth: 2 }),
      ...result(1, 'srv_1', 'web_fetch_tool_result', page),
      ...cited,
    ],
    outline: [`web_fetch {"url":"${PAGE}","depth":2} output-available`, 'text: Blue.', 'source-document'],
    sent: [
      { type: 'server_tool_use', name: 'web_fetch', input: { url: PAGE, depth: 2 } },
      { type: 'web_fetch_tool_result', tool_use_id: 'srv_1', content: page },
    ],
  },
  {
    name: 'a page that could not be read',
    events: [
      ...hosted(0, 'srv_1', 'web_fetch', { url: `${PAGE}/${'long'.repeat(20)}` }),
      ...result(1, 'srv_1', 'web_fetch_tool_result', failed),
      ...text(2, 'No luck.'),
    ],
    outline: [`web_fetch {"url":"${PAGE}/${'long'.repeat(20)}"} output-error`, 'text: No luck.'],
    sent: [
      { type: 'server_tool_use', name: 'web_fetch' },
      { type: 'web_fetch_tool_result', tool_use_id: 'srv_1', content: failed },
    ],
  },
  {
    name: 'a search, a page and a command in one message',
    events: [
      ...hosted(0, 'srv_1', 'web_search', { query: 'ink' }),
      ...result(1, 'srv_1', 'web_search_tool_result', [hit]),
      ...hosted(2, 'srv_2', 'web_fetch', { url: PAGE }),
      ...result(3, 'srv_2', 'web_fetch_tool_result', page),
      ...hosted(4, 'srv_3', 'bash_code_execution', { command: 'echo 42' }),
      ...result(5, 'srv_3', 'bash_code_execution_tool_result', ran),
      ...text(6, 'Blue.'),
    ],
    outline: [
      'web_search {"query":"ink"} output-available',
      'source-url',
      `web_fetch {"url":"${PAGE}"} output-available`,
      'code_execution {"type":"bash_code_execution","command":"echo 42"} output-available',
      'text: Blue.',
    ],
    sent: [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'ink' } },
      { type: 'web_search_tool_result', content: [hit] },
      { type: 'web_fetch_tool_result', tool_use_id: 'srv_2', content: page },
      { type: 'server_tool_use', name: 'bash_code_execution', input: { command: 'echo 42' } },
      { type: 'bash_code_execution_tool_result', content: ran },
    ],
  },
]
const each = cases.flatMap((one) => [
  { ...one, when: 'registered', has: true },
  { ...one, when: 'absent', has: false },
])

const streamOf = (...events: Event[]) =>
  recordingOf({ folder: ANTHROPIC, lines: events.map((one) => JSON.stringify(one)) })

test.for(each)(
  'RL-5 RL-8 $name, which Anthropic executed, ends as recorded while our tools of that name are $when',
  async ({ events, outline, sent, has }) => {
    const made: unknown[] = []
    await using lab = await openFormatLab(ANTHROPIC, { agent: { tools: has ? ownTools(made) : [] } })
    const turn = await turnOf(lab, streamOf(begin(), ...events, ...end()))
    expect(turn.message).toEqual(await reduceBySdk(turn.chunks))
    expect(outlineOf(turn.message)).toEqual(outline)
    expect(turn.message.metadata).toMatchObject({
      finishReason: 'stop',
      usage: { input: 10, output: 20, steps: 1 },
    })
    expect(turn.message.metadata).not.toHaveProperty('error')
    for (const part of turn.message.parts.filter(isToolPart)) {
      expect(part.providerExecuted).toBe(true)
      expect(part).not.toHaveProperty('title')
      expect(part.type).not.toBe('dynamic-tool')
    }
    expect(made).toEqual([])
    lab.provider.script(recordingOf(wordsOf(ANTHROPIC)))
    const next = await lab.turn('And then?', turn.sessionId)
    expect(next.messages.at(-1)?.metadata).not.toHaveProperty('error')
    expect(contentOf(lab.provider.requests[1]?.body)).toEqual(
      expect.arrayContaining(sent.map((block) => expect.objectContaining(block))),
    )
  },
)

/** The blocks of the reply as it goes back. */
function contentOf(body: Record<string, unknown> | undefined): unknown[] {
  const messages = body?.['messages']
  const reply: unknown = Array.isArray(messages) ? messages[1] : null
  return typeof reply === 'object' && reply !== null && 'content' in reply && Array.isArray(reply.content)
    ? reply.content
    : []
}

test('RL-5 RL-8 a page that Anthropic reads and then a call of our web_fetch are two calls: ours is made once', async () => {
  const made: unknown[] = []
  await using lab = await openFormatLab(ANTHROPIC, { agent: { tools: ownTools(made) } })
  const ours = block(
    3,
    { type: 'tool_use', id: 'toolu_1', name: 'web_fetch', input: {} },
    ...json(`{"url":"${PAGE}"}`),
  )
  const { message, chunks, sessionId } = await turnOf(
    lab,
    streamOf(
      begin(),
      ...hosted(0, 'srv_1', 'web_fetch', { url: PAGE }),
      ...result(1, 'srv_1', 'web_fetch_tool_result', page),
      ...ours,
      ...end('tool_use'),
    ),
  )
  expect(message).toEqual(await reduceBySdk(chunks))
  expect(outlineOf(message)).toEqual([
    `web_fetch {"url":"${PAGE}"} output-available`,
    `web_fetch {"url":"${PAGE}","format":"markdown"} output-available`,
  ])
  expect(made).toEqual([{ web_fetch: { url: PAGE, format: 'markdown' } }])
  expect(callsOf(message).map(({ providerExecuted }) => providerExecuted === true)).toEqual([true, false])
  lab.provider.script(recordingOf(wordsOf(ANTHROPIC)))
  await lab.turn('And then?', sessionId)
  const body = JSON.stringify(lab.provider.requests[1]?.body)
  expect(body).toContain(
    JSON.stringify({ type: 'web_fetch_tool_result', tool_use_id: 'srv_1', content: page }),
  )
  expect(body).toMatch(/"type":"tool_result","tool_use_id":"toolu_1","content":"Ours"/)
})

test('RL-5 a search that OpenAI makes is none of ours', async () => {
  const made: unknown[] = []
  await using lab = await openFormatLab('openai-responses', { agent: { tools: ownTools(made) } })
  const item = { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'ink' } }
  const events = [
    { type: 'response.created', response: { id: 'r', created_at: 0, model: 'own', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
    {
      type: 'response.completed',
      response: { id: 'r', output: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
  ]
  const turn = await turnOf(
    lab,
    recordingOf({ folder: 'openai-responses', lines: events.map((one) => JSON.stringify(one)) }),
  )
  expect(turn.message).toEqual(await reduceBySdk(turn.chunks))
  const [call] = callsOf(turn.message)
  expect(call).toMatchObject({ type: 'tool-web_search', providerExecuted: true, state: 'output-available' })
  expect(call).not.toHaveProperty('title')
  expect(made).toEqual([])
  expect(turn.message.metadata?.finishReason).toBe('stop')
  lab.provider.script(recordingOf(wordsOf('openai-responses')))
  await lab.turn('And then?', turn.sessionId)
  expect(JSON.stringify(lab.provider.requests[1]?.body)).toContain('"query":"ink"')
})

function callsOf({ parts }: ChatMessage) {
  return parts.filter(isToolPart)
}

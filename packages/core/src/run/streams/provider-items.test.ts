import {
  begin,
  block,
  type Event,
  end,
  json,
  serverCall,
  serverResult,
  text,
} from '@palimpsest/testing/anthropic-events.ts'
import { recordingOf } from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { openFormatLab, outlineOf, turnOf } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'

/** What a core makes of an answer, and whether the message after it is answered too. */
async function talkAbout(folder: string, events: Event[], next: Event[]) {
  await using lab = await openFormatLab(folder)
  const recorded = (some: Event[]) =>
    recordingOf({ folder, lines: some.map((event) => JSON.stringify(event)) })
  const { message, chunks, sessionId } = await turnOf(lab, recorded(events))
  expect(message).toEqual(await reduceBySdk(chunks))
  lab.provider.script(recorded(next))
  const { messages } = await lab.turn('And then?', sessionId)
  const sent = JSON.stringify(lab.provider.requests[1]?.body)
  expect(messages.at(-1)?.metadata).toMatchObject({ finishReason: 'stop' })
  return { message, sent }
}

const head = { id: 'resp_1', object: 'response', created_at: 1_767_225_600, model: 'gpt-own' }
const usage = { input_tokens: 11, output_tokens: 5, total_tokens: 16 }
const response = (...items: Event[][]): Event[] => [
  { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
  ...items.flat(),
  { type: 'response.completed', response: { ...head, status: 'completed', output: [], usage } },
]
const item = (output_index: number, of: Event, more: Event = {}, ...between: Event[]): Event[] => [
  { type: 'response.output_item.added', output_index, item: { status: 'in_progress', ...of } },
  ...between.map((event) => ({ output_index, item_id: of['id'], ...event })),
  { type: 'response.output_item.done', output_index, item: { status: 'completed', ...of, ...more } },
]
const words = (index: number, text: string, annotations: Event[] = []): Event[] =>
  item(
    index,
    { id: `msg_${index}`, type: 'message', role: 'assistant', content: [] },
    { content: [{ type: 'output_text', text, annotations }] },
    { type: 'response.output_text.delta', content_index: 0, delta: text },
    ...annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      content_index: 0,
      annotation_index,
      annotation,
    })),
  )

const items: { name: string; events: Event[]; parts: string[] }[] = [
  {
    name: 'a picture that was drawn, with a draft of it before',
    events: item(
      0,
      { id: 'ig_1', type: 'image_generation_call' },
      { result: 'iVBORw0KGgo=' },
      { type: 'response.image_generation_call.in_progress' },
      {
        type: 'response.image_generation_call.partial_image',
        partial_image_index: 0,
        partial_image_b64: 'iVBO',
      },
      { type: 'response.image_generation_call.completed' },
    ),
    parts: ['image_generation {} output-available'],
  },
  {
    name: 'a list of remote tools and a call of one',
    events: [
      ...item(
        0,
        { id: 'mcpl_1', type: 'mcp_list_tools', server_label: 'docs', tools: [] },
        { tools: [{ name: 'ask', input_schema: { type: 'object' }, annotations: null }] },
        { type: 'response.mcp_list_tools.completed' },
      ),
      ...item(
        1,
        { id: 'mcp_1', type: 'mcp_call', name: 'ask', server_label: 'docs', arguments: '' },
        { arguments: '{"q":"ink"}', output: 'It is dark.', error: null },
        { type: 'response.mcp_call_arguments.delta', delta: '{"q":"ink"}' },
        { type: 'response.mcp_call_arguments.done', arguments: '{"q":"ink"}' },
        { type: 'response.mcp_call.completed' },
      ),
    ],
    parts: ['mcp.ask {"q":"ink"} output-available'],
  },
  {
    name: 'files that were searched',
    events: item(
      0,
      { id: 'fs_1', type: 'file_search_call', queries: [], results: null },
      {
        queries: ['ink'],
        results: [{ attributes: {}, file_id: 'file-1', filename: 'ink.md', score: 0.9, text: 'Dark.' }],
      },
      { type: 'response.file_search_call.searching' },
    ),
    parts: ['file_search {} output-available', 'source-document'],
  },
  {
    name: 'a search of an unknown kind',
    events: item(
      0,
      { id: 'ws_1', type: 'web_search_call' },
      { action: { type: 'smell', of: 'ink' } },
      { type: 'response.web_search_call.searching' },
    ),
    parts: ['web_search {} output-error'],
  },
  {
    name: 'a picture that was not drawn',
    events: item(0, { id: 'ig_1', type: 'image_generation_call' }, { status: 'failed', result: null }),
    parts: ['image_generation {} output-error'],
  },
  {
    name: 'words with sources of known and unknown kinds',
    events: words(0, 'Read this.', [
      {
        type: 'url_citation',
        url: 'https://example.com/',
        title: 'An example',
        start_index: 0,
        end_index: 4,
      },
      { type: 'smell_citation', of: 'ink' },
    ]),
    parts: ['source-url', 'text: Read this.'],
  },
]

test.for(items)('RL-5 a response with $name is kept as such, and continues', async ({ events, parts }) => {
  const { message, sent } = await talkAbout(
    'openai-responses',
    response(events, words(7, 'That is it.')),
    response(words(0, 'Nothing more.')),
  )
  expect(message.metadata).toMatchObject({ finishReason: 'stop', usage: { input: 11, output: 5 } })
  expect(outlineOf(message).toSorted()).toEqual([...parts, 'text: That is it.'].toSorted())
  expect(sent).toContain('That is it.')
})

const blocks: { name: string; events: Event[]; parts: unknown[] }[] = [
  {
    name: 'a call of a remote tool and what it said',
    events: [
      ...block(
        0,
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'docs', input: {} },
        ...json('{"q":"ink"}'),
      ),
      ...block(1, {
        type: 'mcp_tool_result',
        tool_use_id: 'mcptoolu_1',
        is_error: false,
        content: [{ type: 'text', text: 'It is dark.' }],
      }),
    ],
    parts: [expect.stringMatching(/^ask .* output-available$/)],
  },
  {
    name: 'a page that was fetched',
    events: [
      ...serverCall(0, 'web_fetch', { url: 'https://example.com/' }),
      ...serverResult(1, 'web_fetch_tool_result', {
        type: 'web_fetch_result',
        url: 'https://example.com/',
        retrieved_at: '2026-01-01T00:00:00Z',
        content: {
          type: 'document',
          title: 'An example',
          citations: { enabled: true },
          source: { type: 'text', media_type: 'text/plain', data: 'Dark.' },
        },
      }),
    ],
    parts: ['web_fetch {"url":"https://example.com/"} output-available'],
  },
  {
    name: 'a command that the provider ran',
    events: [
      ...serverCall(0, 'bash_code_execution', { command: 'ls' }),
      ...serverResult(1, 'bash_code_execution_tool_result', {
        type: 'bash_code_execution_result',
        stdout: 'a',
        stderr: '',
        return_code: 0,
        content: [],
      }),
    ],
    parts: [expect.stringMatching(/^code_execution .*"command":"ls".* output-available$/)],
  },
  {
    name: 'a result of an unknown tool',
    events: [
      ...serverCall(0, 'smell', { of: 'ink' }),
      ...serverResult(1, 'smell_tool_result', { type: 'smell' }),
    ],
    parts: [],
  },
  {
    name: 'a search among tools',
    events: [
      ...serverCall(0, 'tool_search_tool_regex', { pattern: 'ink' }),
      ...serverResult(1, 'tool_search_tool_result', {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'look' }],
      }),
    ],
    parts: ['tool_search_tool_regex {"pattern":"ink"} output-available'],
  },
  {
    name: 'a page that could not be fetched',
    events: [
      ...serverCall(0, 'web_fetch', { url: 'x' }),
      ...serverResult(1, 'web_fetch_tool_result', {
        type: 'web_fetch_tool_result_error',
        error_code: 'url_not_accessible',
      }),
    ],
    parts: ['web_fetch {"url":"x"} output-error'],
  },
  {
    name: 'a call of its own that it has not finished',
    events: serverCall(0, 'web_search', { query: 'ink' }),
    parts: ['web_search {"query":"ink"} output-error'],
  },
  {
    name: 'a summary of its own of what came before',
    events: block(
      0,
      { type: 'compaction', content: null },
      { type: 'compaction_delta', content: 'About ink.' },
    ),
    parts: [],
  },
  {
    name: 'a result of a call that it has not made',
    events: serverResult(0, 'web_search_tool_result', []),
    parts: [],
  },
  {
    name: 'words that cite a document',
    events: block(
      0,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'Dark.' },
      {
        type: 'citations_delta',
        citation: {
          type: 'char_location',
          cited_text: 'Dark.',
          document_index: 0,
          document_title: 'Ink',
          start_char_index: 0,
          end_char_index: 5,
        },
      },
    ),
    parts: ['text: Dark.'],
  },
]

test.for(blocks)(
  'RL-5 a message of Anthropic with $name is kept as such, and continues',
  async ({ events, parts }) => {
    const { message, sent } = await talkAbout(
      'anthropic-messages',
      [begin(), ...events, ...text(7, 'That is it.'), ...end()],
      [begin(), ...text(0, 'Nothing more.'), ...end()],
    )
    expect(message.metadata).toMatchObject({ finishReason: 'stop', usage: { input: 10, output: 20 } })
    expect(message.metadata).not.toHaveProperty('error')
    expect(outlineOf(message)).toEqual([...parts, 'text: That is it.'])
    expect(sent).toContain('That is it.')
  },
)

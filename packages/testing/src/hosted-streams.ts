import { begin, block, end, json, serverCall, serverResult, text } from './anthropic-events.ts'
import { loadProviderStreams, type ProviderStream, WRITTEN_STREAMS_FOLDER } from './provider-streams.ts'

type Event = Record<string, unknown>

const anthropic = (name: string, ...events: Event[]): ProviderStream => ({
  folder: 'anthropic-messages',
  name,
  lines: [begin(), ...events, ...end()].map((event) => JSON.stringify(event)),
})
const hosted = (tool: string, input: unknown, type: string, content: unknown): ProviderStream =>
  anthropic(
    tool,
    ...text(0, 'Let me see.'),
    ...serverCall(1, tool, input),
    ...serverResult(2, type, content),
    ...text(3, 'Done.'),
  )

const mcpCall = block(
  0,
  { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 'own', input: {} },
  ...json('{"words":', '"hello"}'),
)
const mcpResult = block(1, {
  type: 'mcp_tool_result',
  tool_use_id: 'mcptoolu_1',
  is_error: false,
  content: [{ type: 'text', text: 'hello' }],
})

/** An answer in which Anthropic calls a tool of an MCP server. */
export const MCP_STREAM = anthropic('mcp', ...mcpCall, ...mcpResult, ...text(2, 'It said hello.'))

const response = (...items: Event[]): Event[] => [
  { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt-own', output: [] } },
  ...items.flatMap((item, output_index) =>
    ['added', 'done'].map((step) => ({
      type: `response.output_item.${step}`,
      output_index,
      item: { ...item, status: step === 'added' ? 'in_progress' : 'completed' },
    })),
  ),
  {
    type: 'response.completed',
    response: { id: 'r', output: [], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  },
]
const openai = (name: string, ...items: Event[]): ProviderStream => ({
  folder: 'openai-responses',
  name,
  lines: response(...items).map((event) => JSON.stringify(event)),
})
const thought = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: `${id}-secret` })
const words = (id: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
})

/** An answer in which OpenAI runs a command in a container of its own, and then finishes. */
export const SHELL_STREAM = openai(
  'shell',
  thought('rs_1'),
  {
    type: 'shell_call',
    id: 'sh_1',
    call_id: 'call_shell',
    action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
  },
  {
    type: 'shell_call_output',
    id: 'sho_1',
    call_id: 'call_shell',
    max_output_length: null,
    output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  words('msg_1'),
)

/** Answers in which providers use tools of their own. */
export const HOSTED_STREAMS: readonly ProviderStream[] = [
  hosted('web_search', { query: 'ink' }, 'web_search_tool_result', [
    {
      type: 'web_search_result',
      url: 'https://example.com/',
      title: 'Ink',
      encrypted_content: 'x',
      page_age: null,
    },
  ]),
  hosted('web_fetch', { url: 'https://example.com/' }, 'web_fetch_tool_result', {
    type: 'web_fetch_tool_result_error',
    error_code: 'url_not_accessible',
  }),
  hosted('bash_code_execution', { command: 'ls' }, 'bash_code_execution_tool_result', {
    type: 'bash_code_execution_result',
    stdout: 'a.txt',
    stderr: '',
    return_code: 0,
    content: [],
  }),
  hosted('advisor', {}, 'advisor_tool_result', { type: 'advisor_result', text: 'Think again.' }),
  hosted('advisor', {}, 'advisor_tool_result', {
    type: 'advisor_tool_result_error',
    error_code: 'overloaded',
  }),
  hosted('tool_search_tool_regex', { query: 'ink' }, 'tool_search_tool_result', {
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: 'look' }],
  }),
  MCP_STREAM,
  SHELL_STREAM,
  openai(
    'web search and code',
    thought('rs_1'),
    { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'ink' } },
    thought('rs_2'),
    { type: 'code_interpreter_call', id: 'ci_1', code: 'print(1)', container_id: 'c', outputs: [] },
    words('msg_1'),
  ),
]

const IN_WORDS: Readonly<Record<string, string>> = {
  'openai-chat': 'text-cached-prompt',
  'openai-compatible-chat': 'cache-hit-tokens',
  'openai-responses': 'cut-by-output-limit',
  'anthropic-messages': 'redacted-thinking',
  'google-messages': 'tool-use-prompt',
}

/** A short answer in words, in the format of a folder of streams. */
export function wordsOf(folder: string): ProviderStream {
  const known = Object.hasOwn(IN_WORDS, folder) ? folder : 'openai-compatible-chat'
  const found = loadProviderStreams(WRITTEN_STREAMS_FOLDER).find(
    (stream) => stream.folder === known && stream.name === IN_WORDS[known],
  )
  if (found === undefined) throw new Error(`There is no answer in words of ${folder}`)
  return found
}

import { expect, test } from 'vitest'
import { refuseRequest } from './refuse-request.ts'

type Body = Record<string, unknown>

const API = {
  anthropic: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  google: '/v1/models/m:streamGenerateContent?alt=sse',
} as const

/** The message of the refusal; empty when the request is taken. */
function refusalOf(api: keyof typeof API, body: Body, client = 'ai-sdk/openai/4.0.0'): string {
  const refused = refuseRequest({ path: API[api], body, headers: { 'user-agent': client } })
  return refused === null ? '' : JSON.stringify([...refused.steps])
}

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (...content: Body[]) => ({ role: 'assistant', content })
const text = (words: string) => ({ type: 'text', text: words })
const use = (id = 'toolu_1', name = 'look', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const result = (tool_use_id = 'toolu_1') => user([{ type: 'tool_result', tool_use_id, content: 'Seen' }])
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }

test('RL-8 a sound request of each format is taken', () => {
  expect(refusalOf('anthropic', { messages: [user('Hi'), assistant(text('So'), use()), result()] })).toBe('')
  expect(refusalOf('anthropic', { messages: [user('Hi'), assistant(text('So'), search)] })).toBe('')
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const asked = { role: 'assistant', content: null, tool_calls: [call] }
  const answered = { role: 'tool', tool_call_id: 'call_1', content: 'Seen' }
  expect(refusalOf('chat', { model: 'gpt', messages: [user('Hi'), asked, answered] })).toBe('')
  const input = [
    user([{ type: 'input_text', text: 'Hi' }]),
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'Seen' },
  ]
  expect(refusalOf('responses', { store: false, input })).toBe('')
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
  ]
  expect(refusalOf('google', { contents })).toBe('')
})

test.for([
  [[user('Hi'), assistant(text('\n\n')), user('Go')], 'non-whitespace text'],
  [[user('Hi'), assistant(text('')), user('Go')], 'must be non-empty'],
  [[user('Hi'), assistant(), user('Go')], 'non-empty content'],
  [[assistant(text('So')), user('Hi')], 'first message'],
  [[user('Hi'), assistant(text('So '))], 'trailing whitespace'],
  [[user('Hi'), assistant(use('functions.todo:0')), result('functions.todo:0')], 'should match pattern'],
  [[user('Hi'), assistant(use('toolu_1', 'default_api.todo')), result()], 'should match pattern'],
  [[user('Hi'), assistant(use('toolu_1', 'look', 'text')), result()], 'valid dictionary'],
  [[user('Hi'), assistant(use()), user('Go')], 'without `tool_result`'],
  [[user('Hi'), result()], 'unexpected `tool_use_id`'],
  [[user('Hi'), assistant(use()), result(), assistant(use()), result()], 'must be unique'],
  [[user('Hi'), assistant(text('So'), search), user('Go')], 'without a corresponding result'],
  [[user('Hi'), assistant({ type: 'thinking', thinking: 'Hm' }, text('So')), user('Go')], 'Field required'],
] as const)('RL-8 Anthropic refuses %j', ([messages, reason]) => {
  expect(refusalOf('anthropic', { messages })).toContain(reason)
})

const chatCall = (id: string, name = 'look', args = '{}') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
})
const chatResult = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'Seen' })

test.for([
  ['gpt', [user('Hi'), chatCall('x'.repeat(41)), chatResult('x'.repeat(41))], 'string too long'],
  ['gpt', [user('Hi'), chatCall('call_1', 'a.b'), chatResult('call_1')], 'does not match pattern'],
  ['gpt', [user('Hi'), chatCall('call_1', 'look', '"text"'), chatResult('call_1')], 'not a JSON object'],
  ['gpt', [user('Hi'), chatCall('call_1'), user('Go')], 'did not have response messages: call_1'],
  ['gpt', [user('Hi'), chatResult('call_1')], 'must be a response'],
  ['devstral', [user('Hi'), user('Go')], "Unexpected role 'user'"],
  ['gpt', [user('Hi'), { role: 'assistant', content: '' }, user('Go')], 'content or tool_calls must be set'],
  ['devstral', [user('Hi'), chatCall('call_1'), chatResult('call_1')], 'with a length of 9'],
  ['devstral', [user('Hi'), chatCall('aB3dE6gH9'), chatResult('aB3dE6gH9'), user('Go')], "after role 'tool'"],
] as const)('RL-8 a server of the chat format with the model %s refuses %j', ([model, messages, reason]) => {
  expect(refusalOf('chat', { model, messages })).toContain(reason)
})

test('RL-8 an id that OpenAI refuses is taken by servers of its chat format', () => {
  const id = 'x'.repeat(500)
  const body = { model: 'own', messages: [user('Hi'), chatCall(id), chatResult(id)] }
  expect(refusalOf('chat', body, 'ai-sdk/openai-compatible/3.0.0')).toBe('')
})

const functionCall = (call_id: string) => ({ type: 'function_call', call_id, name: 'look', arguments: '{}' })

test.for([
  [[functionCall('x'.repeat(65))], 'string too long'],
  [[functionCall('call_1')], 'No tool output found'],
  [[{ type: 'function_call_output', call_id: 'call_1', output: '' }], 'No tool call found'],
  [[{ type: 'reasoning', id: 'rs_1', summary: [] }, user('Go')], 'required following item'],
  [[{ type: 'item_reference', id: 'msg_1' }], 'not persisted'],
] as const)('RL-8 the Responses API refuses %j', ([input, reason]) => {
  expect(refusalOf('responses', { store: false, input })).toContain(reason)
})

const model = (...parts: Body[]) => ({ role: 'model', parts })
const person = (...parts: Body[]) => ({ role: 'user', parts })

test.for([
  [[], 'contents is not specified'],
  [[person({ text: 'Hi' }), model(), person({ text: 'Go' })], 'must not be empty'],
  [[person({ text: 'Hi' }), person({ text: 'Go' })], 'alternate'],
  [
    [person({ text: 'Hi' }), model({ functionCall: { name: 'look' } }), person({ text: 'Go' })],
    'is equal to',
  ],
  [
    [person({ text: 'Hi' }), model({ functionCall: { name: '2do' } }), person({ text: 'Go' })],
    'Invalid function name',
  ],
] as const)('RL-8 Google refuses %j', ([contents, reason]) => {
  expect(refusalOf('google', { contents })).toContain(reason)
})

import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { arrangeMessages } from './arrange-messages.ts'
import { callId, callName } from './call-names.ts'
import type { ProviderFamily } from './provider-family.ts'
import { familyOf } from './provider-family.ts'
import { NOTHING_LOWERED, toModelMessages } from './to-model-messages.ts'

const MODEL = { providerId: 'lab', modelId: 'm1' }
const OTHER = { providerId: 'other', modelId: 'm2' }
const info = { inputs: ['text'] } as Partial<ModelInfo> as ModelInfo

const reply = (...parts: ChatPart[]): ChatMessage => ({
  id: 'msg_1',
  role: 'assistant',
  metadata: { schemaVersion: 1, createdAt: 1, model: MODEL },
  parts: [{ type: 'step-start' }, ...parts],
})
const said = (text: string): ChatMessage => ({ id: 'msg_0', role: 'user', parts: [{ type: 'text', text }] })
const call = (toolCallId: string, name = 'read'): ChatPart => ({
  type: `tool-${name}`,
  toolCallId,
  state: 'output-available',
  input: {},
  output: 'found',
})

async function lower(
  messages: ChatMessage[],
  { model = MODEL, family = 'compatible' as ProviderFamily, tools = {} } = {},
) {
  const leftOut: string[] = []
  const target = { model, info, family, tools, onLeftOut: (id: string) => void leftOut.push(id) }
  return { ...(await toModelMessages(messages, target)), leftOut }
}

const partsOf = (messages: readonly ModelMessage[], type: string) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => part.type === type),
  )
const idsOf = (messages: readonly ModelMessage[], type: string) =>
  partsOf(messages, type).map((part) => ('toolCallId' in part ? part.toolCallId : ''))

test.for(['', ' ', '\n\n', '\t\u00a0\u2003'])(
  'RL-8 the text %j is not sent, by whomever it was said',
  async (blank) => {
    const text: ChatPart = { type: 'text', text: blank }
    const steering: ChatPart = {
      type: 'steering-message',
      id: 'msg_2',
      parts: [{ type: 'text', text: blank }],
    }
    const { messages } = await lower([
      said('Hi'),
      reply(text),
      said(blank),
      reply(text, call('a'), steering),
      said('Go'),
    ])
    expect(partsOf(messages, 'text').map((part) => 'text' in part && part.text)).toEqual(['Hi', 'Go'])
    const arranged = arrangeMessages(messages, 'compatible', true)
    expect(arranged.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  },
)

test('SX-10 a pace is awaited before each message that is lowered, and the result is the same', async () => {
  const messages = Array.from({ length: 5 }, (_, at) =>
    at % 2 === 0 ? said(`${at}`) : reply(call(`c${at}`)),
  )
  const target = { model: MODEL, info, family: 'compatible' as const, tools: {} }
  const pace = vi.fn(() => Promise.resolve())
  const lowered = await toModelMessages(messages, target, { pace })
  expect(pace).toHaveBeenCalledTimes(messages.length)
  expect(lowered).toEqual(await toModelMessages(messages, target))
})

test('RL-8 a blank text that Google has signed goes back to the model that signed it', async () => {
  const signed: ChatPart = {
    type: 'text',
    text: '',
    providerMetadata: { google: { thoughtSignature: 'own' } },
  }
  expect((await lower([reply(signed)])).messages).toHaveLength(1)
  expect((await lower([reply(signed)], { model: OTHER })).messages).toEqual([])
})

test('RL-8 adjacent replies are merged, user messages where the API is strict, and a request begins and ends with a user message', () => {
  const reply: ModelMessage = { role: 'assistant', content: [{ type: 'text', text: 'So.' }] }
  const user = (content: string): ModelMessage => ({ role: 'user', content })
  expect(arrangeMessages([user('a'), user('b'), reply, reply, user('c')], 'mistral', true)).toEqual([
    user('a\n\nb'),
    { role: 'assistant', content: [...reply.content, ...reply.content] },
    user('c'),
  ])
  const blank = user('(blank message)')
  expect(arrangeMessages([reply], 'compatible', true)).toEqual([blank, reply, blank])
  expect(arrangeMessages([], 'compatible', true)).toEqual([blank])
  expect(arrangeMessages([user('a'), reply], 'compatible', false)).toEqual([user('a'), reply])
})

test.for(['mistral', 'google'] as const)(
  'RL-8 %s gets an assistant message between tool results and a user message',
  async (family) => {
    const { messages } = await lower([said('Hi'), reply(call('a')), said('Go')], { family })
    const roles = arrangeMessages(messages, family, true).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  },
)

test.for([
  ['functions.todo:0', 'anthropic'],
  ['x'.repeat(85), 'openai-responses'],
  ['x'.repeat(41), 'openai-chat'],
  ['call_0fypS1hVX', 'mistral'],
  ['toolu_01A', 'compatible'],
  ['a b', 'google'],
  ['', 'anthropic'],
] as const)(
  'RL-8 the call id %j of another model goes to %s as nine letters and digits',
  async ([id, family]) => {
    const { messages } = await lower([reply(call(id))], { model: OTHER, family })
    const [sent] = idsOf(messages, 'tool-call')
    expect(sent).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(idsOf(messages, 'tool-result')).toEqual([sent])
    const again = await lower([reply(call(id)), reply(call('more'))], { model: OTHER, family })
    expect(idsOf(again.messages, 'tool-call')[0]).toBe(sent)
  },
)

test('RL-8 a call id goes back to its own model as it was, and to others that take it', async () => {
  for (const family of ['anthropic', 'openai-responses', 'google'] as const)
    expect(
      idsOf((await lower([reply(call('call_1'))], { model: OTHER, family })).messages, 'tool-call'),
    ).toEqual(['call_1'])
  const odd = 'functions.todo:0'
  expect(idsOf((await lower([reply(call(odd))])).messages, 'tool-call')).toEqual([odd])
})

test('RL-8 no two calls of a request share an id, and equal histories get equal ids', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('call_0', 'call_1')), { maxLength: 30 }),
      fc.constantFrom<ProviderFamily>(
        'anthropic',
        'openai-chat',
        'openai-responses',
        'google',
        'mistral',
        'compatible',
      ),
      fc.boolean(),
      (ids, family, own) => {
        const send = () => {
          const used = new Set<string>()
          return ids.map((id) => callId(id, family, own, used))
        }
        expect(new Set(send()).size).toBe(ids.length)
        expect(send()).toEqual(send())
      },
    ),
  )
})

test('RL-8 the ids of a reply differ from those of the conversation before it', async () => {
  const target = { model: MODEL, info, family: 'anthropic' as const, tools: {} }
  const before = await toModelMessages([reply(call('call_0'))], target)
  const { messages } = await toModelMessages([reply(call('call_0'))], target, { before })
  expect(idsOf(messages, 'tool-call')).not.toEqual(['call_0'])
  expect(NOTHING_LOWERED.callIds.size).toBe(0)
})

test('RL-8 a tool name goes as it is where every provider takes it, else under one that follows from it alone', () => {
  expect(callName('read_file-2')).toBe('read_file-2')
  for (const name of ['default_api.todo', '2do', '工具', '', 'a b', 'x'.repeat(300)]) {
    expect(callName(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    expect(callName(name)).toBe(callName(name))
  }
  expect(callName('a.b')).not.toBe(callName('a:b'))
})

test('RL-8 a server is known by its package, and Mistral by the names of its models', () => {
  expect(familyOf({ provider: 'anthropic.messages', modelId: 'claude' })).toBe('anthropic')
  expect(familyOf({ provider: 'lab.chat', modelId: 'devstral-small' })).toBe('mistral')
  expect(familyOf({ provider: 'mistral.chat', modelId: 'm1' })).toBe('mistral')
  expect(familyOf({ provider: 'lab.chat', modelId: 'm1' })).toBe('compatible')
})

test.for([
  ['*** Begin Patch', { input: '*** Begin Patch' }],
  ['{ not json }', {}],
  [4, { input: 4 }],
  [[1, 2], { input: [1, 2] }],
  [null, {}],
  [{ a: 1 }, { a: 1 }],
] as const)('RL-8 the arguments %j of a failed call go back as %j', async ([input, sent]) => {
  const failed = { ...call('a'), state: 'output-error', input, errorText: 'No such tool' } as ChatPart
  expect(partsOf((await lower([reply(failed)])).messages, 'tool-call')).toMatchObject([{ input: sent }])
})

test('RL-8 an empty result is sent as a text that names it empty', async () => {
  const empty = { ...call('a'), output: '' } as ChatPart
  const { messages } = await lower([reply(empty)])
  expect(partsOf(messages, 'tool-result')).toMatchObject([{ output: { value: '(no output)' } }])
})

test('RL-8 a part that the AI SDK cannot lower is left out alone, and reported without its content', async () => {
  const broken = {
    read: {
      inputSchema: {},
      toModelOutput() {
        throw new Error('Unreadable')
      },
    },
  }
  const words: ChatPart = { type: 'text', text: 'So.' }
  const { messages, leftOut } = await lower([reply(words, call('a'), call('b', 'todo'))], { tools: broken })
  expect(partsOf(messages, 'text')).toHaveLength(1)
  expect(idsOf(messages, 'tool-call')).toEqual(['b'])
  expect(leftOut).toEqual(['msg_1'])
})

const hosted = (fields: object): ChatPart =>
  ({ ...call('srv_1', 'web_search'), providerExecuted: true, ...fields }) as ChatPart

test.for([
  hosted({ state: 'input-streaming', input: undefined }),
  hosted({ state: 'input-available' }),
  hosted({ state: 'output-error', errorText: 'aborted by host restart; it may have run' }),
])('RL-8 a hosted call left in state $state goes back as text only', async (part) => {
  for (const family of ['anthropic', 'google', 'openai-responses', 'compatible'] as const) {
    const { messages } = await lower([said('Hi'), reply(part)], { family })
    expect(partsOf(messages, 'tool-call')).toEqual([])
    expect(JSON.stringify(messages)).toContain('web_search was interrupted')
  }
})

test('RL-8 a failure that Anthropic reported of its own tool goes back to it as reported', async () => {
  const part = hosted({
    state: 'output-error',
    errorText: '{"type":"advisor_tool_result_error","errorCode":"overloaded"}',
  })
  const { messages } = await lower([reply(part)], { family: 'anthropic' })
  expect(partsOf(messages, 'tool-result')).toMatchObject([
    { output: { type: 'error-json', value: { errorCode: 'overloaded' } } },
  ])
  expect((await lower([reply(part)], { family: 'google' })).messages).toEqual([])
})

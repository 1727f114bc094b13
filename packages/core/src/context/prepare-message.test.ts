import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { initialReduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import { toModelMessages } from './to-model-messages.ts'

const MODEL = { providerId: 'lab', modelId: 'm1' }
const OTHER = { providerId: 'other', modelId: 'm2' }
const info = { inputs: ['text'] } as Partial<ModelInfo> as ModelInfo
const signed = { lab: { signature: 'EqQBCkgIBxAB+/8=\u0000 ünï' } }

const reply = (...parts: ChatPart[]): ChatMessage => ({
  id: 'msg_1',
  role: 'assistant',
  metadata: { schemaVersion: 1, createdAt: 1, model: MODEL },
  parts: [{ type: 'step-start' }, ...parts],
})
const lower = async (message: ChatMessage, model = MODEL, inputs: ModelInfo['inputs'] = ['text']) =>
  (
    await toModelMessages([message], {
      model,
      info: { ...info, inputs },
      family: 'compatible',
      tools: {},
    })
  ).messages

const thought: ChatPart = { type: 'reasoning', text: 'Hm', state: 'done', providerMetadata: signed }
const words: ChatPart = { type: 'text', text: 'So.', state: 'done', providerMetadata: signed }

test('RU-8 reasoning and its signature reach the model that made them byte for byte', async () => {
  expect(await lower(reply(thought, words))).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm', providerOptions: signed },
        { type: 'text', text: 'So.', providerOptions: signed },
      ],
    },
  ])
})

test('RU-8 a signature or an item id that the provider left empty is not sent back to it', async () => {
  for (const empty of [{ signature: '' }, { itemId: '' }])
    expect(await lower(reply({ ...thought, providerMetadata: { lab: empty } }, words))).toMatchObject([
      {
        content: [
          { type: 'reasoning', providerOptions: {} },
          { type: 'text', text: 'So.' },
        ],
      },
    ])
})

test('RU-8 another model gets neither reasoning nor signatures, of calls that failed either', async () => {
  const failed: ChatPart = {
    type: 'tool-read',
    toolCallId: 'call_1',
    state: 'output-error',
    input: { path: 'a' },
    errorText: 'No',
    callProviderMetadata: signed,
    resultProviderMetadata: signed,
  }
  const lowered = await lower(reply(thought, words, failed), OTHER)
  expect(JSON.stringify(lowered)).not.toMatch(/signature|Hm/)
  expect(lowered[0]?.content).toMatchObject([{ type: 'text', text: 'So.' }, { type: 'tool-call' }])
})

test('RU-8 no signature of a random reply reaches another model', async () => {
  await fc.assert(
    fc.asyncProperty(randomChunks(), async (chunks) => {
      const { message } = chunks.reduce(reduceChunk, initialReduction('msg_1'))
      const made: ChatMessage = { ...message, metadata: { schemaVersion: 1, createdAt: 1, model: MODEL } }
      expect(JSON.stringify(await lower(made, OTHER))).not.toContain('providerOptions')
    }),
  )
})

const frozen: { state: string; part: ChatPart }[] = [
  {
    state: 'input-streaming',
    part: { type: 'tool-read', toolCallId: 'c', state: 'input-streaming', input: { pa: '' } },
  },
  {
    state: 'input-available',
    part: { type: 'tool-read', toolCallId: 'c', state: 'input-available', input: { path: 'a' } },
  },
  {
    state: 'approval-requested',
    part: {
      type: 'tool-read',
      toolCallId: 'c',
      state: 'approval-requested',
      input: {},
      approval: { id: 'p' },
    },
  },
  {
    state: 'approval-responded',
    part: {
      type: 'tool-read',
      toolCallId: 'c',
      state: 'approval-responded',
      input: {},
      approval: { id: 'p', approved: true },
    },
  },
]

test.for(frozen)('AB-3 a call frozen in $state is lowered as one that was stopped', async ({ part }) => {
  const lowered = await lower(reply(words, part))
  expect(lowered[0]?.content).toMatchObject([{ type: 'text' }, { type: 'tool-call', toolCallId: 'c' }])
  expect(lowered[1]).toMatchObject({
    role: 'tool',
    content: [
      { type: 'tool-result', output: { type: 'error-text', value: expect.stringContaining('stopped') } },
    ],
  })
  expect(JSON.stringify(lowered)).not.toContain('approval')
})

test('RV-2 a call whose arguments never became an object is lowered with empty ones', async () => {
  for (const input of [undefined, '{"pa', null, 4]) {
    const part = {
      type: 'tool-read',
      toolCallId: 'c',
      state: 'output-error',
      input,
      errorText: 'aborted by host restart',
    }
    const lowered = await lower(reply(part as ChatPart))
    expect(lowered[0]?.content).toMatchObject([{ type: 'tool-call', input: {} }])
    expect(lowered[1]?.content).toMatchObject([{ type: 'tool-result' }])
  }
})

test('AB-3 reasoning that a stopped run left without an answer is not sent', async () => {
  expect(await lower(reply(thought))).toEqual([])
  const open: ChatPart = { type: 'reasoning', text: 'Half', state: 'streaming' }
  expect(await lower(reply(open, words))).toMatchObject([{ content: [{ type: 'text' }] }])
  expect(await lower(reply(words, { type: 'step-start' }, thought))).toMatchObject([
    { content: [{ type: 'text' }] },
  ])
})

test('AB-3 a reply without a word is left out, and never ends the conversation', async () => {
  expect(await lower(reply())).toEqual([])
  expect(await lower(reply({ type: 'text', text: '', state: 'streaming' }))).toEqual([])
})

test('QU-5 a steering message becomes a user message at its place', async () => {
  const steering: ChatPart = {
    type: 'steering-message',
    id: 'msg_2',
    parts: [{ type: 'text', text: 'In French' }],
  }
  const lowered = await lower(reply(words, steering, { type: 'step-start' }, words))
  expect(lowered.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant'])
})

test('MO-1 a file that the model cannot take is named instead', async () => {
  const message: ChatMessage = {
    id: 'msg_1',
    role: 'user',
    parts: [{ type: 'file', mediaType: 'image/png', filename: 'cat.png', url: 'data:image/png;base64,AA' }],
  }
  expect(await lower(message)).toMatchObject([
    { content: [{ type: 'text', text: expect.stringContaining('cat.png') }] },
  ])
  expect(await lower(message, MODEL, ['text', 'image'])).toMatchObject([{ content: [{ type: 'file' }] }])
})

test('RU-2 lowering never throws, and every call it sends has a result', async () => {
  await fc.assert(
    fc.asyncProperty(randomChunks(), async (chunks) => {
      const { message } = chunks.reduce(reduceChunk, initialReduction('msg_1'))
      const parts = (await lower(message)).flatMap(({ content }) => [...(content as readonly object[])])
      const ids = (type: string) =>
        parts.flatMap((part) =>
          'type' in part && part.type === type && 'toolCallId' in part ? [part.toolCallId] : [],
        )
      expect(new Set(ids('tool-result'))).toEqual(new Set(ids('tool-call')))
    }),
  )
})

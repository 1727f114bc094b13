import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk, ChatMessage } from '../../domain/message/message.ts'
import { initialReduction, reduceChunk } from '../../domain/stream/message-reducer.ts'
import { withParsedInputs } from '../partial-input.ts'
import { createChunkOrder } from './chunk-order.ts'

const EMPTY: ChatMessage = { id: 'msg_1', role: 'assistant', parts: [] }
const order = (chunks: ChatChunk[], message = EMPTY) => {
  const inOrder = createChunkOrder(() => message)
  return chunks.flatMap((chunk) => inOrder(chunk))
}

const start: ChatChunk = { type: 'text-start', id: 't' }
const delta: ChatChunk = { type: 'text-delta', id: 't', delta: 'Words' }
const end: ChatChunk = { type: 'text-end', id: 't' }

test('RU-2 chunks in their order stay as they are', () => {
  const chunks: ChatChunk[] = [
    { type: 'start-step' },
    { type: 'reasoning-start', id: 't' },
    start,
    { type: 'reasoning-delta', id: 't', delta: 'Hm' },
    delta,
    { type: 'reasoning-end', id: 't' },
    end,
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'look' },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{}' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: {} },
    { type: 'tool-output-available', toolCallId: 'c', output: 'Seen' },
    { type: 'finish-step' },
  ]
  expect(order(chunks)).toEqual(chunks.slice(0, -1))
})

test('RU-2 words and thoughts without a beginning get one, and no word is lost', () => {
  expect(order([delta, delta, end, delta])).toEqual([start, delta, delta, end, start, delta])
  const thought: ChatChunk = { type: 'reasoning-delta', id: 't', delta: 'Hm' }
  expect(order([start, thought])).toEqual([start, { type: 'reasoning-start', id: 't' }, thought])
})

test('RU-2 a part that begins while it is open ends first, and an end of nothing is dropped', () => {
  expect(order([start, delta, start, delta, end, end])).toEqual([start, delta, end, start, delta, end])
  expect(order([{ type: 'reasoning-end', id: 't' }, end])).toEqual([])
})

test('RU-2 pieces and outputs of calls that were never made are dropped, and those of earlier steps are kept', () => {
  const piece: ChatChunk = { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{}' }
  const output: ChatChunk = { type: 'tool-output-available', toolCallId: 'c', output: 'Seen' }
  const failed: ChatChunk = { type: 'tool-output-error', toolCallId: 'c', errorText: 'Unseen' }
  expect(order([piece, output, failed])).toEqual([])
  const whole: ChatChunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: {} }
  expect(order([whole, piece, output])).toEqual([whole, output])
  const begun: ChatChunk = { type: 'tool-input-start', toolCallId: 'c', toolName: 'look' }
  expect(order([begun, piece, output])).toEqual([begun, piece])
  const made: ChatMessage = {
    ...EMPTY,
    parts: [{ type: 'tool-look', toolCallId: 'c', state: 'input-available', input: {} }],
  }
  expect(order([piece, output], made)).toEqual([output])
})

test('RU-2 a model call that ends leaves no arguments open: a call that broke off is an error', () => {
  const done: ChatChunk = { type: 'finish-step' }
  const begun: ChatChunk = { type: 'tool-input-start', toolCallId: 'c', toolName: 'look', dynamic: true }
  const pieces: ChatChunk[] = ['{"at":', '"ha'].map((inputTextDelta) => {
    return { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }
  })
  const broken = { ...begun, type: 'tool-input-error', input: '{"at":"ha', errorText: expect.any(String) }
  expect(order([begun, ...pieces, done, done])).toEqual([begun, ...pieces, broken])
  const made: ChatChunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: {} }
  expect(order([made, done])).toEqual([made])
})

const ids = fc.constantFrom('a', 'b')
const chunks = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('text-start', 'text-end', 'reasoning-start', 'reasoning-end'),
      id: ids,
    }),
    fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta'), id: ids, delta: fc.string() }),
    fc.record({ type: fc.constant('tool-input-start'), toolCallId: ids, toolName: fc.constant('look') }),
    fc.record({ type: fc.constant('tool-input-delta'), toolCallId: ids, inputTextDelta: fc.string() }),
    fc.record({
      type: fc.constant('tool-input-available'),
      toolCallId: ids,
      toolName: fc.constant('look'),
      input: fc.constant({}),
    }),
    fc.record({ type: fc.constant('tool-output-available'), toolCallId: ids, output: fc.string() }),
    fc.constant({ type: 'finish-step' }),
    fc.record({
      type: fc.constant('tool-input-error'),
      toolCallId: ids,
      toolName: fc.constant('look'),
      input: fc.constant('{'),
      errorText: fc.constant('No such tool'),
      dynamic: fc.constant(true),
      providerMetadata: fc.constant({ lab: { itemId: 'i' } }),
    }),
  ) as fc.Arbitrary<ChatChunk>,
  { maxLength: 30 },
)

test('RU-2 the reducer of the AI SDK and ours reduce any chunks in any order to the same message', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (some) => {
      const whole: ChatChunk[] = [
        { type: 'start', messageId: 'msg_1' },
        { type: 'start-step' },
        ...order(some),
        { type: 'message-metadata', messageMetadata: { schemaVersion: 1, createdAt: 0 } },
      ]
      const { message } = whole.reduce(reduceChunk, initialReduction('msg_1'))
      expect(await withParsedInputs(message)).toEqual(await reduceBySdk(whole))
      const said = (type: string, list: ChatChunk[]) =>
        list.map((chunk) => (chunk.type === type && 'delta' in chunk ? chunk.delta : '')).join('')
      expect(said('text-delta', whole)).toBe(said('text-delta', some))
    }),
    { numRuns: 300 },
  )
})

import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withParsedInputs } from '../../run/partial-input.ts'
import type { ChatChunk, ChatMessage } from '../message/message.ts'
import { createChunkLog, START } from './chunk-log.ts'
import { initialReduction, reduceChunk } from './message-reducer.ts'

const reduce = (chunks: ChatChunk[]) => chunks.reduce(reduceChunk, initialReduction('msg_1')).message
/** What JSON keeps, as the store and the wire do. */
const plain = (message: ChatMessage): unknown => JSON.parse(JSON.stringify(message))

test('RU-2 any chunks in an order that the AI SDK accepts make the message that it makes', async () => {
  await fc.assert(
    fc.asyncProperty(randomChunks(), async (chunks) => {
      const mine = await withParsedInputs(reduce(chunks))
      expect(plain(mine)).toEqual(plain(await reduceBySdk(chunks)))
    }),
    { numRuns: 400 },
  )
})

test('LS-3 a replay with adjacent deltas merged makes the same message', () => {
  fc.assert(
    fc.property(randomChunks(), (chunks) => {
      const log = createChunkLog()
      for (const chunk of chunks) log.append(chunk)
      expect(plain(reduce(log.readFrom(START).chunks))).toEqual(plain(reduce(chunks)))
    }),
    { numRuns: 300 },
  )
})

test('RU-2 chunks that fit nowhere and kinds that are not known yet change nothing', () => {
  const start = reduce([{ type: 'start', messageMetadata: { schemaVersion: 1, createdAt: 1 } }])
  const stray: ChatChunk[] = [
    { type: 'text-delta', id: 'x', delta: 'lost' },
    { type: 'reasoning-end', id: 'x' },
    { type: 'tool-input-delta', toolCallId: 'x', inputTextDelta: '{' },
    { type: 'tool-output-available', toolCallId: 'x', output: 1 },
    { type: 'tool-approval-response', approvalId: 'x', approved: true },
    JSON.parse('{"type":"of-a-later-version","id":"x"}'),
  ]
  const state = { ...initialReduction('msg_1'), message: start }
  expect(stray.reduce(reduceChunk, state).message).toEqual(start)
})

test('RU-2 parts that did not change keep their identity, so that a recorder saves the others only', () => {
  const before = [
    { type: 'start-step' },
    { type: 'text-start', id: 'a' },
    { type: 'text-delta', id: 'a', delta: 'One' },
    { type: 'text-end', id: 'a' },
    { type: 'text-start', id: 'b' },
  ] satisfies ChatChunk[]
  const state = before.reduce<ReturnType<typeof initialReduction>>(reduceChunk, initialReduction('msg_1'))
  const after = reduceChunk(state, { type: 'text-delta', id: 'b', delta: 'Two' })
  expect(after.message.parts[1]).toBe(state.message.parts[1])
  expect(after.message.parts[2]).not.toBe(state.message.parts[2])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChatChunk, isToolPart } from '../domain/message.ts'
import { initialReduction, reduceChunk } from '../domain/message-reducer.ts'
import { randomChunks } from '../testing/random-chunks.ts'
import { reduceBySdk } from '../testing/reduce-by-sdk.ts'
import { closingChunks } from './closing-chunks.ts'
import { withParsedInputs } from './partial-input.ts'
import type { RunOutcome } from './run-outcome.ts'
import { terminalChunks } from './terminal-chunks.ts'

const opening: ChatChunk[] = [{ type: 'start', messageId: 'm' }, { type: 'start-step' }]
const FAILED: RunOutcome = { type: 'failed', error: { code: 'PROVIDER_ERROR', message: 'It broke.' } }
const reduced = (chunks: readonly ChatChunk[]) => chunks.reduce(reduceChunk, initialReduction('m'))

const open: ChatChunk[] = [
  ...opening,
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Half' },
  { type: 'tool-input-start', toolCallId: 'a', toolName: 'read' },
  { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"pa' },
  { type: 'tool-input-available', toolCallId: 'b', toolName: 'read', input: { path: 'x' } },
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'web', input: {}, dynamic: true },
  { type: 'tool-input-available', toolCallId: 'd', toolName: 'read', input: {} },
  { type: 'tool-output-available', toolCallId: 'd', output: 'Found' },
]

test('RV-2 RE-3 a failure closes open words and calls without an output, and keeps what came', async () => {
  const chunks = [...open, ...closingChunks(reduced(open))]
  const { message } = reduced(chunks)
  expect(message.parts.slice(1)).toMatchObject([
    { text: 'Hm', state: 'done' },
    { text: 'Half', state: 'done' },
    { toolCallId: 'a', state: 'output-error', input: '{"pa' },
    { toolCallId: 'b', state: 'output-error', input: { path: 'x' } },
    { toolCallId: 'c', state: 'output-error' },
    { toolCallId: 'd', state: 'output-available', output: 'Found' },
  ])
  expect(message).toEqual(await reduceBySdk(chunks))
  expect(closingChunks(reduced(chunks))).toEqual([])
})

test('AB-3 an abort leaves open parts unchanged', () => {
  const reduction = reduced(open)
  const recorder = { message: reduction.message, reduction, timing: {} }
  const types = terminalChunks({ type: 'aborted' }, recorder, 1, {}).map(({ type }) => type)
  expect(types).toEqual(['message-metadata', 'abort'])
})

test('RU-2 after any stream, a failure closes the same parts as in the AI SDK', async () => {
  await fc.assert(
    fc.asyncProperty(randomChunks(), fc.nat(), async (chunks, place) => {
      const came = chunks.slice(0, place % (chunks.length + 1))
      const reduction = reduced(came)
      const recorder = { message: reduction.message, reduction, timing: {} }
      const all = [...came, ...terminalChunks(FAILED, recorder, 1, {})]
      const { message } = reduced(all)
      if (message.parts.length === 0) return
      expect(await withParsedInputs(message)).toEqual(await reduceBySdk(all))
      for (const part of message.parts) {
        if (part.type === 'text' || part.type === 'reasoning') expect(part.state).toBe('done')
        if (isToolPart(part)) expect(part.state).not.toBe('input-available')
      }
    }),
  )
})

import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChatChunk, isToolPart } from '../domain/message/message.ts'
import { NO_TOKENS } from '../domain/model/usage.ts'
import { initialReduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import { closingChunks } from './closing-chunks.ts'
import { withParsedInputs } from './partial-input.ts'
import type { RunEnd } from './run-outcome.ts'
import { terminalChunks } from './terminal-chunks.ts'

const opening: ChatChunk[] = [{ type: 'start', messageId: 'm' }, { type: 'start-step' }]
const FAILED = { type: 'failed', error: { code: 'PROVIDER_ERROR', message: 'It broke.' } } satisfies RunEnd
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
  const chunks = [...open, ...closingChunks(reduced(open), false)]
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
  expect(closingChunks(reduced(chunks), false)).toEqual([])
})

/** The states and texts of the calls of a reply that ended so. */
function callsAfter(chunks: readonly ChatChunk[], outcome: RunEnd) {
  const reduction = reduced(chunks)
  const recorder = { message: reduction.message, reduction, timing: {} }
  const { message } = reduced([...chunks, ...terminalChunks(outcome, recorder, 1, {})])
  return message.parts.filter(isToolPart).map(({ state, errorText, approval }) => ({
    state,
    text: errorText ?? approval?.reason,
  }))
}

const called = (toolCallId: string, more: object = {}): ChatChunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'read',
  input: {},
  ...more,
})
const HOSTED = { providerExecuted: true, dynamic: true }
const counted = (steps: number): ChatChunk => ({
  type: 'message-metadata',
  messageMetadata: { usage: { ...NO_TOKENS, steps } },
})
const asked = (toolCallId: string): ChatChunk => ({
  type: 'tool-approval-request',
  toolCallId,
  approvalId: `per_${toolCallId}`,
})
const MAY_HAVE_RUN = { state: 'output-error', text: expect.stringContaining('may have run') }
const NOT_MADE = { state: 'output-error', text: 'The reply failed before this call was made.' }

test('RV-2 a call of an answer that is not whole was not made, and that is said', () => {
  const cut = [...opening, called('a'), called('h', HOSTED)]
  expect(callsAfter(cut, FAILED)).toEqual([NOT_MADE, MAY_HAVE_RUN])
  // The provider has reported its failure and the usage.
  const reported = [...cut, counted(1)]
  expect(callsAfter(reported, { ...FAILED, unanswered: true })).toEqual([NOT_MADE, MAY_HAVE_RUN])
})

test('RV-2 a call that was being made when the reply failed may have run, unless it waited for a person', () => {
  const chunks = [...opening, called('a'), called('b'), asked('b'), counted(1)]
  expect(callsAfter(chunks, FAILED)).toEqual([MAY_HAVE_RUN, NOT_MADE])
  const approved: ChatChunk = { type: 'tool-approval-response', approvalId: 'per_b', approved: true }
  expect(callsAfter([...chunks, approved], FAILED)).toEqual([MAY_HAVE_RUN, MAY_HAVE_RUN])
  // Of a step before the one that is not whole.
  expect(callsAfter([...chunks, { type: 'start-step' }, called('c')], FAILED)).toEqual([
    MAY_HAVE_RUN,
    NOT_MADE,
    NOT_MADE,
  ])
})

test('RU-4 a call of the provider without a result is closed where the reply is complete', () => {
  const finished = { type: 'finished', finishReason: 'tool-calls' } as const
  const output: ChatChunk = {
    type: 'tool-output-available',
    toolCallId: 'g',
    output: 1,
    providerExecuted: true,
  }
  const chunks = [...opening, called('g', HOSTED), output, called('h', HOSTED), called('a'), counted(1)]
  expect(callsAfter(chunks, finished)).toEqual([
    { state: 'output-available', text: undefined },
    {
      state: 'output-error',
      text: 'The provider, which makes this call itself, ended its answer without a result of it; it may have run.',
    },
    { state: 'input-available', text: undefined },
  ])
})

test('AB-3 an abort denies the calls about which nobody has decided, and no others', async () => {
  const responded: ChatChunk = { type: 'tool-approval-response', approvalId: 'per_c', approved: true }
  const chunks = [...opening, called('a'), asked('a'), called('b'), called('c'), asked('c'), responded]
  expect(callsAfter(chunks, { type: 'aborted' })).toEqual([
    {
      state: 'output-denied',
      text: 'The call was stopped before it ran.',
    },
    { state: 'input-available', text: undefined },
    { state: 'approval-responded', text: undefined },
  ])
  const reduction = reduced(chunks)
  const recorder = { message: reduction.message, reduction, timing: {} }
  const all = [...chunks, ...terminalChunks({ type: 'aborted' }, recorder, 1, {})]
  expect(reduced(all).message).toEqual(await reduceBySdk(all))
})

test('AB-3 an abort leaves other open parts unchanged', () => {
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

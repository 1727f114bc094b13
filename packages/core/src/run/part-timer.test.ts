import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../domain/message/message.ts'
import { initialReduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import { createPartTimer } from './part-timer.ts'

/** Reduces chunks, one every 100 ms, and answers what was measured. */
function measure(chunks: ChatChunk[]) {
  const clock = createFakeClock()
  const timer = createPartTimer(clock)
  let reduction = initialReduction('m')
  for (const chunk of chunks) {
    clock.advance(100)
    const next = reduceChunk(reduction, chunk)
    timer.note(chunk, reduction.message.parts, next.message.parts)
    reduction = next
  }
  return timer.patch
}

const reasoning: ChatChunk[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Let me see.' },
  { type: 'reasoning-end', id: 'r' },
]
const call = { toolCallId: 'c', toolName: 'read' }

test('UI-9 thoughts are measured from their first to their last word, tool calls from input to output', () => {
  const patch = measure([
    { type: 'start', messageId: 'm' },
    ...reasoning,
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{}' },
    { type: 'tool-input-available', ...call, input: {} },
    { type: 'tool-output-available', toolCallId: 'c', output: 'ink' },
  ])
  expect(patch).toEqual({ partDurationsMs: { 0: 200, 1: 100 } })
})

test('UI-9 a part that has not ended has no duration', () => {
  expect(measure([{ type: 'start', messageId: 'm' }, ...reasoning.slice(0, 2)])).toEqual({})
})

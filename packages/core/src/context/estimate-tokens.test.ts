import { expect, test } from 'vitest'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import { calibrate, estimateTextTokens, estimateTokens } from './estimate-tokens.ts'

const message = (...parts: ChatPart[]): ChatMessage => ({ id: 'msg_1', role: 'assistant', parts })
const text = (characters: number): ChatPart => ({ type: 'text', text: 'x'.repeat(characters) })

test('US-5 one constant for a family of models counts its characters', () => {
  expect(estimateTextTokens('x'.repeat(4_000), 'openai')).toBe(1_000)
  expect(estimateTextTokens('x'.repeat(3_500), 'anthropic')).toBe(1_000)
  expect(estimateTextTokens('x'.repeat(3_800), 'somebody-else')).toBe(1_000)
  expect(estimateTextTokens('x'.repeat(3_800), 'constructor')).toBe(1_000)
})

test('US-5 everything that occupies the window counts: text, reasoning, calls with their output, files, steering', () => {
  const bare = estimateTokens([message()], 'openai')
  const parts: ChatPart[] = [
    text(400),
    { type: 'reasoning', text: 'x'.repeat(400) },
    { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: {}, output: 'x'.repeat(400) },
    { type: 'file', mediaType: 'image/png', url: 'data:,' },
    { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'x'.repeat(400) }] },
  ]
  for (const part of parts)
    expect(estimateTokens([message(part)], 'openai')).toBeGreaterThanOrEqual(bare + 100)
  expect(estimateTokens([message({ type: 'step-start' })], 'openai')).toBe(bare)
})

/** A reply of so many characters that the provider counted as so many tokens. */
function counted(characters: number, output: number, unknown?: true): ChatMessage {
  const counts = { input: 0, output, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }
  const usage = { ...counts, ...(unknown && { unknown }) }
  return { ...message(text(characters)), metadata: { schemaVersion: 1, createdAt: 1, usage } }
}

test('US-5 a session whose replies were counted scales its estimates by them, within reason', () => {
  expect(calibrate([], 'openai')).toBe(1)
  expect(calibrate([counted(100, 60)], 'openai')).toBe(1)
  expect(calibrate([counted(4_000, 1_500)], 'openai')).toBeCloseTo(1.5)
  expect(calibrate([counted(4_000, 1_500), counted(4_000, 500)], 'openai')).toBeCloseTo(1)
  expect(calibrate([counted(4_000, 90_000)], 'openai')).toBe(2)
  expect(calibrate([counted(4_000, 0)], 'openai')).toBe(0.5)
  expect(estimateTokens([message(text(4_000))], 'openai', 1.5)).toBe(1_506)
})

test('US-5 a reply whose counts are unknown calibrates nothing', () => {
  expect(calibrate([counted(4_000, 0, true)], 'openai')).toBe(1)
})

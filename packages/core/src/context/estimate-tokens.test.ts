import { expect, test } from 'vitest'
import type { ChatMessage, ChatPart } from '../domain/message.ts'
import { estimateTextTokens, estimateTokens } from './estimate-tokens.ts'

const message = (...parts: ChatPart[]): ChatMessage => ({ id: 'msg_1', role: 'assistant', parts })
const text = (characters: number): ChatPart => ({ type: 'text', text: 'x'.repeat(characters) })

test('US-5 one constant for a family of models counts its characters', () => {
  expect(estimateTextTokens('x'.repeat(4_000), 'openai')).toBe(1_000)
  expect(estimateTextTokens('x'.repeat(3_500), 'anthropic')).toBe(1_000)
  expect(estimateTextTokens('x'.repeat(3_800), 'somebody-else')).toBe(1_000)
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

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage, ChatPart } from '../domain/message.ts'
import { CONTENT_KINDS } from '../domain/window-content.ts'
import { windowContent } from './window-content.ts'

const text = (characters: number): ChatPart => ({ type: 'text', text: 'x'.repeat(characters) })
const message = (role: 'user' | 'assistant', ...parts: ChatPart[]): ChatMessage => ({ id: role, role, parts })
const total = (content: Record<string, number>) =>
  CONTENT_KINDS.reduce((sum, kind) => sum + (content[kind] ?? 0), 0)

test('UI-14 the content of a window is divided by its author, and instructions are the rest', () => {
  const summary: ChatMessage = {
    ...message('user', text(40)),
    metadata: { schemaVersion: 1, createdAt: 0, summary: true },
  }
  const output = 'y'.repeat(398)
  const reply = message(
    'assistant',
    { type: 'reasoning', text: 'x'.repeat(80) },
    { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: {}, output },
    text(200),
  )
  const prompt = message('user', text(100), { type: 'file', mediaType: 'image/png', url: 'data:,' })
  expect(windowContent([summary, prompt, reply], 5_000, 'openai')).toEqual({
    instructions: 5_000 - 10 - 25 - 50 - 20 - 100 - 1_000,
    summary: 10,
    prompts: 25,
    replies: 50,
    reasoning: 20,
    tools: 100,
    files: 1_000,
  })
})

test('UI-14 the kinds always add up to what the window holds, and none is negative', () => {
  const part = fc.oneof(
    fc.nat(5_000).map(text),
    fc.nat(5_000).map((length): ChatPart => ({ type: 'reasoning', text: 'x'.repeat(length) })),
  )
  const messages = fc.array(
    fc.record({ id: fc.string(), role: fc.constantFrom('user', 'assistant'), parts: fc.array(part) }),
  )
  fc.assert(
    fc.property(
      messages,
      fc.nat(20_000),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      (seen, used, scale) => {
        const content = windowContent(seen, used, 'anthropic', scale)
        expect(total(content)).toBe(used)
        expect(Math.min(...Object.values(content))).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { ChatPart, MessageMetadata, StoredMessage } from '../domain/message/message.ts'
import { CONTENT_KINDS } from '../domain/window/window-content.ts'
import { windowContent } from './window-content.ts'

const text = (characters: number): ChatPart => ({ type: 'text', text: 'x'.repeat(characters) })
function message(role: 'user' | 'assistant', ...parts: ChatPart[]): StoredMessage {
  const metadata: MessageMetadata = { schemaVersion: 1, createdAt: 0 }
  const stored = parts.map((data, index) => ({ id: `${role}${index}`, index, data, prunedAt: null }))
  const times = { hiddenAt: null, hiddenBy: null, queuedAt: null, createdAt: 0, updatedAt: 0 }
  return { id: role, sessionId: 's', seq: 1, role, metadata, parts: stored, ...times }
}
const total = (content: Record<string, number>) =>
  CONTENT_KINDS.reduce((sum, kind) => sum + (content[kind] ?? 0), 0)

test('UI-14 the content of a window is divided by its author, and instructions are the rest', async () => {
  const summary: StoredMessage = {
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
  const visible = [summary, prompt, reply]
  expect(await windowContent(visible, { used: 5_000, providerId: 'openai' })).toEqual({
    instructions: 5_000 - 10 - 25 - 50 - 20 - 100 - 1_000,
    summary: 10,
    prompts: 25,
    replies: 50,
    reasoning: 20,
    tools: 100,
    files: 1_000,
  })
})

test('SX-10 a pace is awaited before each message whose content is summed up', async () => {
  const visible = Array.from({ length: 7 }, () => message('user', text(100)))
  const pace = vi.fn(() => Promise.resolve())
  await windowContent(visible, { used: 5_000, providerId: 'openai' }, pace)
  expect(pace).toHaveBeenCalledTimes(visible.length)
})

test('UI-14 the kinds always add up to what the window holds, and none is negative', async () => {
  const part = fc.oneof(
    fc.nat(5_000).map(text),
    fc.nat(5_000).map((length): ChatPart => ({ type: 'reasoning', text: 'x'.repeat(length) })),
  )
  const messages = fc.array(
    fc
      .tuple(fc.constantFrom<'user' | 'assistant'>('user', 'assistant'), fc.array(part))
      .map(([role, parts]) => message(role, ...parts)),
  )
  await fc.assert(
    fc.asyncProperty(
      messages,
      fc.nat(20_000),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      async (seen, used, scale) => {
        const content = await windowContent(seen, { used, providerId: 'anthropic', scale })
        expect(total(content)).toBe(used)
        expect(Math.min(...Object.values(content))).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

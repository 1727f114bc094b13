import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { MessageMetadata, StoredMessage } from '../domain/message/message.ts'
import { heaviestMessages } from './heaviest-messages.ts'

function message(
  id: string,
  role: 'user' | 'assistant',
  characters: number,
  metadata: Partial<MessageMetadata> = {},
): StoredMessage {
  const data = { type: 'text' as const, text: `${id} `.padEnd(characters, 'x') }
  return {
    id,
    sessionId: 's',
    seq: 1,
    role,
    metadata: { schemaVersion: 1, createdAt: 0, ...metadata },
    parts: [{ id: `p${id}`, index: 0, data, prunedAt: null }],
    hiddenAt: null,
    hiddenBy: null,
    queuedAt: null,
    createdAt: 0,
    updatedAt: 0,
  }
}

const OPENAI = { providerId: 'openai', scale: 1 }

test('UI-14 the heaviest messages come first with their place, without summaries and what is left out', async () => {
  const visible = [
    message('s', 'assistant', 9_000, { summary: true, compactionId: 'op' }),
    message('a', 'user', 400),
    message('b', 'assistant', 4_000),
    message('c', 'user', 8_000, { leftOut: true }),
    message('d', 'assistant', 800),
  ]
  const heaviest = await heaviestMessages(visible, { used: 5_000, count: 2, ...OPENAI })
  expect(heaviest.map(({ messageId, place, tokens }) => [messageId, place, tokens])).toEqual([
    ['b', 1, 1_004],
    ['d', 2, 204],
  ])
})

test('SX-10 a pace is awaited before each message that is weighed', async () => {
  const visible = Array.from({ length: 7 }, (_, at) => message(`m${at}`, 'user', 100))
  const pace = vi.fn(() => Promise.resolve())
  await heaviestMessages(visible, { used: 5_000, count: 2, ...OPENAI }, pace)
  expect(pace).toHaveBeenCalledTimes(visible.length)
})

test('UI-14 what messages take never exceeds what the window holds', async () => {
  const sizes = fc.array(fc.nat(20_000), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(10_000), async (some, used) => {
      const visible = some.map((size, at) => message(`m${at}`, at % 2 === 0 ? 'user' : 'assistant', size))
      const heaviest = await heaviestMessages(visible, { used, count: 5, ...OPENAI })
      expect(heaviest.length).toBeLessThanOrEqual(5)
      const tokens = heaviest.map((one) => one.tokens)
      expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
      expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(used)
    }),
  )
})

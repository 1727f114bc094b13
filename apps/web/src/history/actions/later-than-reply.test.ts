import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { laterThanReply } from './later-than-reply.ts'

const reply = (id: string): ChatMessage => ({ ...userMessage(id), role: 'assistant' })
const TALK = [userMessage('q1'), reply('r1'), reply('r1b'), userMessage('q2'), reply('r2'), userMessage('q3')]

test.each([
  ['the first reply', 'r1', 3],
  ['a second part of that reply', 'r1b', 3],
  ['the second reply', 'r2', 1],
  ['the first question', 'q1', 3],
  ['the last question', 'q3', 0],
  ['a message that is not shown', 'elsewhere', 0],
])('UI-28 another reply in the place of %s hides so many later messages', (_, id, hides) => {
  expect(laterThanReply(TALK, id)).toBe(hides)
})

test('UI-28 another reply to the last question hides nothing more, in any thread', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 10 }),
      fc.integer({ min: 1, max: 4 }),
      (roles, replies) => {
        const before = roles.map((isUser, at) => (isUser ? userMessage(`m${at}`) : reply(`m${at}`)))
        const last = Array.from({ length: replies }, (_, at) => reply(`last${at}`))
        const shown = [...before, userMessage('question'), ...last]
        for (const { id } of last) expect(laterThanReply(shown, id)).toBe(0)
      },
    ),
  )
})

test('UI-28 what another reply hides begins with the next question and reaches to the end, in any thread', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.nat(), (roles, seed) => {
      const shown = roles.map((isUser, at) => (isUser ? userMessage(`m${at}`) : reply(`m${at}`)))
      const at = seed % shown.length
      const hides = laterThanReply(shown, `m${at}`)
      const hidden = hides === 0 ? [] : shown.slice(-hides)
      const kept = shown.slice(at + 1, shown.length - hides)
      expect(kept.every(({ role }) => role === 'assistant')).toBe(true)
      expect(hidden[0]?.role ?? 'user').toBe('user')
    }),
  )
})

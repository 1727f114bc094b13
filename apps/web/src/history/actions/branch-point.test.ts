import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { branchPoint } from './branch-point.ts'

const reply = (id: string, tokens?: number): ChatMessage => ({
  ...userMessage(id),
  role: 'assistant',
  metadata: {
    schemaVersion: 1,
    createdAt: 1,
    ...(tokens !== undefined && { window: { tokens } }),
  },
})

const TALK = [userMessage('q1'), reply('r1', 100), userMessage('q2'), reply('r2', 800), userMessage('q3')]

test.each([
  ['every reply fits', 10_000, 'r2', 'q2'],
  ['the later reply takes exactly four fifths', 1_000, 'r2', 'q2'],
  ['the later reply takes a token more than four fifths', 998, 'r1', 'q1'],
  ['only the first reply fits', 125, 'r1', 'q1'],
])('UI-19 a branch for a smaller model begins at the latest reply that fits: %s', (_, usable, id, prompt) => {
  const point = branchPoint(TALK, usable)
  expect([point?.messageId, point?.prompt.id]).toEqual([id, prompt])
})

test.each([
  ['nothing was said', [], 1_000],
  ['no reply fits', TALK, 100],
  ['no reply was counted', [userMessage('q'), reply('r')], 1_000],
  ['the reply that fits answers no question that is shown', [reply('r', 1)], 1_000],
  ['the model has no window', TALK, 0],
])('UI-19 there is no branch for a smaller model where %s', (_, shown, usable) => {
  expect(branchPoint(shown, usable)).toBeNull()
})

test('UI-19 replies that were not counted are passed over', () => {
  const shown = [...TALK, reply('r3'), userMessage('q4'), reply('r4')]
  expect(branchPoint(shown, 10_000)?.messageId).toBe('r2')
})

test('UI-19 in any thread the branch leaves a fifth of the window, and no later reply does', () => {
  const said = fc.array(fc.option(fc.nat(2_000), { nil: undefined, freq: 3 }), { maxLength: 12 })
  fc.assert(
    fc.property(said, fc.nat(2_000), (list, usable) => {
      const shown = list.flatMap((tokens, at) => [userMessage(`q${at}`), reply(`r${at}`, tokens)])
      const at = shown.findIndex(({ id }) => id === branchPoint(shown, usable)?.messageId)
      const sizes = shown.map(({ metadata }) => metadata?.window?.tokens ?? Number.POSITIVE_INFINITY)
      if (at !== -1) expect(sizes[at]).toBeLessThanOrEqual(usable * 0.8)
      for (const size of sizes.slice(at + 1)) expect(size).toBeGreaterThan(usable * 0.8)
    }),
  )
})

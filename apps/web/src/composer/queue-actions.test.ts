import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { userMessage } from '../testing/session-world.ts'
import { queueActions } from './queue-actions.ts'

function setUp(queue: readonly ChatMessage[]) {
  const commands = {
    stopAll: vi.fn(),
    stop: vi.fn(),
    resend: vi.fn(),
    continue: vi.fn(),
    editQueued: vi.fn(() => Promise.resolve(true)),
    cancelQueued: vi.fn(),
    reorderQueue: vi.fn<(ids: string[]) => void>(),
    promote: vi.fn(),
  }
  const keep = vi.fn<(text: string) => void>()
  return { commands, keep, actions: queueActions(queue, commands, keep) }
}

test('UI-15 a queued message that is edited keeps its files', () => {
  const attached = { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:,' } as const
  const message = { ...userMessage('a'), parts: [attached, { type: 'text', text: 'Old' } as const] }
  const { commands, actions } = setUp([message])
  actions.onEdit('a', 'New')
  expect(commands.editQueued.mock.calls).toEqual([['a', [attached, { type: 'text', text: 'New' }]]])
})

test('UI-15 a queued message that is moved is at its new position, the others in their order', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const { commands, actions } = setUp(ids.map((id) => userMessage(id)))
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.nat(4), (moved, index) => {
      actions.onMove(moved, index)
      const order = commands.reorderQueue.mock.lastCall?.[0] ?? []
      expect(order[index]).toBe(moved)
      expect(order.filter((id) => id !== moved)).toEqual(ids.filter((id) => id !== moved))
    }),
  )
})

test('UI-15 a queued message is sent now or removed by its id', () => {
  const { commands, actions } = setUp([userMessage('a')])
  actions.onSendNow('a')
  actions.onRemove('a')
  expect(commands.promote.mock.calls).toEqual([['a']])
  expect(commands.cancelQueued.mock.calls).toEqual([['a']])
})

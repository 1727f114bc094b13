import type { ChatMessage } from '@palimpsest/core/domain'
import { en } from '@palimpsest/ui'
import { expect, test } from 'vitest'
import { userMessage } from '../../testing/session-world.ts'
import { linesOf } from '../actions/prompts.ts'
import { pointName } from './point-name.ts'
import type { RestorePoint } from './use-restore-points.ts'

const words = en.history.timeline
const loaded: ChatMessage[] = [
  userMessage('m1', ' Name\n\n the   boat '),
  { ...userMessage('m2'), parts: [{ type: 'file', mediaType: 'image/png', url: 'data:,' }] },
]
const read = [{ messageId: 'm3', text: 'Far up', summarised: false, createdAt: 1 }]
const nameOf = (reason: RestorePoint['reason'], messageId: string | null) =>
  pointName({ reason, messageId }, linesOf(loaded, read), words)

test('UI-39 the state before a message is named by the words of the message, in one line', () => {
  expect(nameOf('message', 'm1')).toBe('before “Name the boat”')
  expect(nameOf('message', 'm3')).toBe('before “Far up”')
})

test.each([
  ['is not loaded', 'm9'],
  ['has only files', 'm2'],
  ['is not named', null],
])('UI-39 the state before a message that %s is named all the same', (_, messageId) => {
  expect(nameOf('message', messageId)).toBe('before you sent a message')
})

test('UI-39 the state before a change is named by the change, although its message is loaded', () => {
  const reasons: RestorePoint['reason'][] = ['edit', 'rewind', 'restore', 'summary', 'branch', 'leave-out']
  for (const reason of reasons) expect(nameOf(reason, 'm1')).toBe(words.before[reason])
})

test('UI-39 each reason has a name of its own', () => {
  const names = Object.values(words.before)
  expect(new Set(names).size).toBe(names.length)
})

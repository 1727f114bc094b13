import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { userMessage } from '../testing/session-world.ts'
import { keepOutgoing, readOutgoing } from './kept-outgoing.ts'
import type { Outgoing } from './outgoing.ts'

const KEY = 'palimpsest.outgoing.ses_1'

const outgoing = (id: string, facts: Partial<Outgoing> = {}): Outgoing => ({
  message: userMessage(id),
  model: null,
  queued: false,
  steer: false,
  replaces: null,
  createsSession: false,
  state: { type: 'sending' },
  ...facts,
})

test('UI-12 what was on its way comes back after a reload as it was, to be sent again', () => {
  const storage = memoryStorage()
  const model = { providerId: 'lab', modelId: 'm', variant: 'high' }
  const failed = { type: 'failed', failure: 'No answer.', retryable: true } as const
  const entries = [
    outgoing('a', { model, steer: true, queued: true, state: failed }),
    outgoing('b', { replaces: 'x', createsSession: true, state: { type: 'sent' } }),
  ]
  keepOutgoing(storage, 'ses_1', entries)
  expect(readOutgoing(storage, 'ses_1')).toEqual(
    entries.map((entry) => ({ ...entry, state: { type: 'sending' } })),
  )
  expect(readOutgoing(storage, 'ses_2')).toEqual([])
})

test('UI-12 nothing is left behind once everything is through', () => {
  const storage = memoryStorage()
  keepOutgoing(storage, 'ses_1', [outgoing('a')])
  keepOutgoing(storage, 'ses_1', [])
  expect(storage.getItem(KEY)).toBeNull()
})

test('UI-12 an entry of an older page, which knew of no replacing, is read', () => {
  const storage = memoryStorage()
  const { replaces: _, ...older } = outgoing('a')
  storage.setItem(KEY, JSON.stringify([older]))
  expect(readOutgoing(storage, 'ses_1')).toEqual([outgoing('a')])
})

test.each([
  ['no JSON', '[{'],
  ['no list', '{"message":{}}'],
  ['nothing', '[null, 3, "text", []]'],
  ['no message', '[{"createsSession":true,"message":null}]'],
  ['an id that is none', '[{"createsSession":true,"message":{"id":4,"parts":[]}}]'],
  ['parts that are none', '[{"createsSession":true,"message":{"id":"a","parts":[null,{"text":"x"}]}}]'],
])('UI-12 storage that holds %s sends nothing', (_, stored) => {
  const storage = memoryStorage()
  storage.setItem(KEY, stored)
  expect(readOutgoing(storage, 'ses_1')).toEqual([])
})

test('UI-12 whatever storage holds, what is read of it can be sent', () => {
  fc.assert(
    fc.property(fc.json(), (stored) => {
      const storage = memoryStorage()
      storage.setItem(KEY, stored)
      for (const { message } of readOutgoing(storage, 'ses_1')) expect(typeof message.id).toBe('string')
    }),
  )
})

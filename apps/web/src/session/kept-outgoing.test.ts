import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createFileStorage } from '../state/file-storage.ts'
import { userMessage } from '../testing/session-world.ts'
import { createKeptOutgoing } from './kept-outgoing.ts'
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

const keptOutgoingOf = (storage = memoryStorage(), sessionId = 'ses_1') =>
  createKeptOutgoing(storage, createFileStorage(storage, undefined), sessionId)

const image = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'a.png',
  url: 'data:image/png;base64,AA==',
} as const
const withFile = (id: string): Outgoing => {
  const message = userMessage(id)
  return outgoing(id, { message: { ...message, parts: [image, ...message.parts] } })
}

test('UI-12 what was on its way comes back after a reload as it was, to be sent again', () => {
  const storage = memoryStorage()
  const model = { providerId: 'lab', modelId: 'm', variant: 'high' }
  const failed = { type: 'failed', failure: 'No answer.', retryable: true } as const
  const entries = [
    outgoing('a', { model, steer: true, queued: true, state: failed }),
    outgoing('b', { replaces: 'x', createsSession: true, state: { type: 'sent' } }),
  ]
  for (const entry of entries) keptOutgoingOf(storage).keep(entry)
  expect(keptOutgoingOf(storage).read()).toEqual(
    entries.map((entry) => ({ ...entry, state: { type: 'sending' } })),
  )
  expect(keptOutgoingOf(storage, 'ses_2').read()).toEqual([])
})

test('UI-12 nothing is left behind once everything is through', async () => {
  const storage = memoryStorage()
  const keptOutgoing = keptOutgoingOf(storage)
  await keptOutgoing.keep(withFile('a'))
  keptOutgoing.drop('a')
  await expect.poll(() => storage.keys('')).toEqual([])
})

test('UI-12 files are kept apart from the text and come back with it', async () => {
  const storage = memoryStorage()
  expect(await keptOutgoingOf(storage).keep(withFile('a'))).toBe(true)
  expect(storage.getItem(`${KEY}.a`)).not.toContain('base64')
  const keptOutgoing = keptOutgoingOf(storage)
  const [kept] = keptOutgoing.read()
  expect(kept && (await keptOutgoing.restoreFiles(kept))).toEqual(withFile('a'))
})

test('UI-12 files that exceed the browser’s storage cost no text, and that is reported', async () => {
  const storage = memoryStorage()
  const full = {
    ...storage,
    setItem(key: string, value: string) {
      if (value.includes('base64')) throw new Error('quota')
      storage.setItem(key, value)
    },
  }
  expect(await keptOutgoingOf(full).keep(withFile('a'))).toBe(false)
  const keptOutgoing = keptOutgoingOf(storage)
  const [kept] = keptOutgoing.read()
  expect(kept && (await keptOutgoing.restoreFiles(kept))).toEqual(outgoing('a'))
})

test('UI-12 a message whose text can’t be kept is reported', () => {
  const refuse = () => {
    throw new Error('quota')
  }
  expect(keptOutgoingOf({ ...memoryStorage(), setItem: refuse }).keep(outgoing('a'))).toBeNull()
})

test('UI-12 what an older page kept in one list is read, gets keys of its own and can be dropped', async () => {
  const storage = memoryStorage()
  const { replaces: _, ...older } = outgoing('a')
  storage.setItem(KEY, JSON.stringify([older, withFile('b')]))
  const keptOutgoing = keptOutgoingOf(storage)
  expect(keptOutgoing.read()).toEqual([outgoing('a'), withFile('b')])
  await expect.poll(() => storage.getItem(KEY)).toBeNull()
  const [first, second] = keptOutgoingOf(storage).read()
  expect(first).toEqual(outgoing('a'))
  expect(second && (await keptOutgoing.restoreFiles(second))).toEqual(withFile('b'))
  keptOutgoing.drop('a')
  expect(keptOutgoing.read().map(({ message }) => message.id)).toEqual(['b'])
})

test('UI-12 a list of an older page stays while storage is too full for one key a message', () => {
  const storage = memoryStorage()
  storage.setItem(KEY, JSON.stringify([outgoing('a'), outgoing('b')]))
  const text = storage.getItem(KEY)
  const setItem = (key: string, value: string) => {
    if (key !== KEY) throw new Error('quota')
    storage.setItem(key, value)
  }
  const keptOutgoing = keptOutgoingOf({ ...storage, setItem })
  expect(keptOutgoing.read()).toHaveLength(2)
  expect(storage.getItem(KEY)).toBe(text)
  expect(keptOutgoing.has('a')).toBe(true)
  keptOutgoing.drop('a')
  expect(keptOutgoing.has('a')).toBe(false)
  expect(keptOutgoing.read()).toEqual([outgoing('b')])
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
  expect(keptOutgoingOf(storage).read()).toEqual([])
})

test('UI-12 whatever storage holds, what is read of it can be sent', () => {
  fc.assert(
    fc.property(fc.json(), (stored) => {
      const storage = memoryStorage()
      storage.setItem(KEY, stored)
      for (const { message } of keptOutgoingOf(storage).read()) expect(typeof message.id).toBe('string')
    }),
  )
})

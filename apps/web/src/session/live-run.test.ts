import type { ChatChunk } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createFileStorage } from '../state/file-storage.ts'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { createWorldApi } from '../testing/world-api.ts'
import {
  endLiveRun,
  growLiveRun,
  liveCharacters,
  liveMessage,
  messageCharacters,
  resumeLiveRun,
  startLiveRun,
} from './live-run.ts'
import { type Outgoing, outgoingMessages, withOutgoingState, withoutSeen } from './outgoing.ts'
import { createSessionStore } from './session-store.ts'
import { createSessionStores } from './session-stores.ts'

const START: ChatChunk[] = [
  { type: 'start', messageId: 'reply' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
]
const word = (delta: string): ChatChunk => ({ type: 'text-delta', id: 't', delta })

test('AP-2 a run has no message to show before its first words', () => {
  const live = startLiveRun('run')
  expect(liveMessage(null)).toBeNull()
  expect(liveMessage(live)).toBeNull()
  expect(liveMessage(growLiveRun(live, [...START, word('One')]))?.id).toBe('reply')
})

test('AP-2 a run that has ended shows nothing of its own until it goes on', () => {
  const live = growLiveRun(startLiveRun('run'), [...START, word('One')])
  const ended = endLiveRun(live)
  expect(liveMessage(ended)).toBeNull()
  if (ended === null) throw new Error('The run was to end.')
  expect(liveMessage(resumeLiveRun(ended))).toEqual(liveMessage(live))
  expect(resumeLiveRun(live)).toBe(live)
})

test('AP-2 chunks that come after a reply was settled change nothing', () => {
  const live = { ...growLiveRun(startLiveRun('run'), [...START, word('One')]), phase: 'settled' } as const
  expect(growLiveRun(live, [word(' more')])).toBe(live)
  expect(endLiveRun(live)).toBe(live)
  expect(resumeLiveRun(live)).toBe(live)
})

test('UI-8 however a reply is cut into chunks and frames, it reads the same', () => {
  const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(words, fc.nat(), (list, cut) => {
      const chunks = [...START, ...list.map(word)]
      const at = cut % chunks.length
      const once = growLiveRun(startLiveRun('run'), chunks)
      const twice = growLiveRun(growLiveRun(startLiveRun('run'), chunks.slice(0, at)), chunks.slice(at))
      expect(liveMessage(twice)).toEqual(liveMessage(once))
      expect(liveCharacters(once)).toBe(list.join('').length)
    }),
  )
})

test('UI-14 what the meter counts is text, thoughts and arguments', () => {
  const message = {
    ...userMessage('m', 'four'),
    parts: [
      { type: 'text', text: 'four' },
      { type: 'reasoning', text: 'three' },
      { type: 'step-start' },
      {
        type: 'dynamic-tool',
        toolName: 'a',
        toolCallId: 'c',
        state: 'input-streaming',
        input: {},
        rawInput: '{"a"',
      },
    ],
  } satisfies ReturnType<typeof userMessage>
  expect(messageCharacters(message)).toBe(4 + 5 + 4)
})

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

test('UI-15 a message that will be queued is not shown in the thread while it is sent', () => {
  const list = [outgoing('a'), outgoing('b', { queued: true }), outgoing('c')]
  expect(outgoingMessages(list).map(({ id }) => id)).toEqual(['a', 'c'])
})

test('ID-2 a message that changes its state leaves the others as they are', () => {
  const list = [outgoing('a'), outgoing('b')]
  const changed = withOutgoingState(list, 'b', { type: 'sent' })
  expect(changed[0]).toBe(list[0])
  expect(changed[1]?.state).toEqual({ type: 'sent' })
  expect(withoutSeen(list, new Set(['x']))).toBe(list)
  expect(withoutSeen(list, new Set(['a'])).map(({ message }) => message.id)).toEqual(['b'])
})

test('UI-5 the chats that were looked at last are kept, and one that is looked at again for longest', () => {
  const made: string[] = []
  const stores = createSessionStores((id) => {
    made.push(id)
    return createSessionStore({
      api: createWorldApi(createSessionWorld(id), { exists: true }).api,
      storage: memoryStorage(),
      files: createFileStorage(memoryStorage(), undefined),
      onNotKept: () => undefined,
      sessionId: id,
      fresh: false,
      schedule: (task) => task(),
    })
  })
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'a', 'g']) stores.of(id, false)
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  stores.of('a', false)
  expect(made).toHaveLength(7)
  stores.of('b', false)
  expect(made.at(-1)).toBe('b')
})

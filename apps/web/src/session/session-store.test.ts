import type { ChatPart } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { createWorldApi } from '../testing/world-api.ts'
import type { InputPart } from './input-part.ts'
import { createSessionStore } from './session-store.ts'
import { shownMessages } from './thread-view.ts'

const PARTS: InputPart[] = [{ type: 'text', text: 'Hello' }]
const HELLO = { parts: PARTS, model: null, steer: false }

function setUp({ fresh = false, storage = memoryStorage() } = {}) {
  const world = createSessionWorld('ses_1')
  const server = createWorldApi(world, { exists: !fresh })
  const frames: (() => void)[] = []
  const open = () =>
    createSessionStore({
      api: server.api,
      storage,
      sessionId: 'ses_1',
      fresh,
      schedule: (task) => void frames.push(task),
    })
  const store = open()
  const nextFrame = () => {
    for (const task of frames.splice(0)) task()
  }
  return { world, server, store, storage, open, frames, nextFrame }
}

const textOf = (parts: readonly ChatPart[] = []) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

test('UI-8 chunks that arrive within one frame are shown in one update', async () => {
  const { world, store, frames, nextFrame } = setUp()
  store.start()
  await vi.waitFor(() => expect(store.get().phase).toBe('ready'))
  world.send(userMessage('user'))
  let updates = 0
  store.subscribe(() => updates++)
  for (const word of ['one ', 'two ', 'three ']) world.write(word)
  expect(frames).toHaveLength(1)
  expect(updates).toBe(0)
  nextFrame()
  expect(updates).toBe(1)
  expect(textOf(shownMessages(store.get()).at(-1)?.parts)).toBe('one two three ')
})

test('UI-2 the first message of a new chat makes its session and is shown before the server answers', async () => {
  const { server, store } = setUp({ fresh: true })
  store.start()
  expect(store.get().phase).toBe('ready')
  const { messageId: id } = store.send(HELLO)
  expect(store.get().outgoing).toMatchObject([{ message: { id }, state: { type: 'sending' } }])
  await vi.waitFor(() => expect(store.get().messages.map((message) => message.id)).toContain(id))
  expect(store.get().outgoing).toEqual([])
  expect(server.sent).toHaveLength(1)
})

test('ID-2 a message that met no connection goes out by itself, once, under the id it was given', async () => {
  const { server, store } = setUp()
  store.start()
  await vi.waitFor(() => expect(store.get().phase).toBe('ready'))
  server.unplug()
  const { messageId: id } = store.send(HELLO)
  await vi.waitFor(() => expect(store.get().outgoing[0]?.state.type).toBe('failed'))
  server.replug()
  await vi.waitFor(() => expect(store.get().messages.some((message) => message.id === id)).toBe(true))
  expect(server.sent.map((entry) => entry.id)).toEqual([id])
})

test('UI-4 the first message of a new chat that met no server goes out by itself when there is one', async () => {
  vi.useFakeTimers()
  const { server, store } = setUp({ fresh: true })
  store.start()
  server.unplug()
  const { messageId: id, delivered } = store.send(HELLO)
  expect(await delivered).toBe(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(store.get().outgoing[0]?.state.type).toBe('failed')
  server.replug()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(store.get().messages.map((message) => message.id)).toContain(id)
  expect(server.sent.map((entry) => entry.id)).toEqual([id])
  vi.useRealTimers()
})

test('UI-12 what was on its way when the page was closed goes out when it opens again', async () => {
  const { server, store, open } = setUp({ fresh: true })
  store.start()
  server.unplug()
  const { messageId: id } = store.send(HELLO)
  await vi.waitFor(() => expect(store.get().outgoing[0]?.state.type).toBe('failed'))
  store.stop()
  server.replug()
  const reopened = open()
  reopened.start()
  await vi.waitFor(() => expect(reopened.get().messages.some((message) => message.id === id)).toBe(true))
})

test('UI-4 a session that does not exist reads as missing, and is asked for only once', () => {
  const world = createSessionWorld('ses_1')
  const server = createWorldApi(world, { exists: false })
  const storage = memoryStorage()
  const store = createSessionStore({
    api: server.api,
    storage,
    sessionId: 'ses_1',
    fresh: false,
    schedule: (task) => task(),
  })
  store.start()
  expect(store.get().phase).toBe('missing')
  expect(server.fetched).toBe(0)
})

test('UI-15 a message that is sent while a run is on is marked as waiting in the queue', async () => {
  const { world, store } = setUp()
  store.start()
  world.send(userMessage('user'))
  store.send(HELLO)
  expect(store.get().outgoing[0]?.queued).toBe(true)
  await vi.waitFor(() => expect(store.get().queue).toHaveLength(1))
  expect(store.get().outgoing).toEqual([])
})

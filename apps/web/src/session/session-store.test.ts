import type { ChatPart } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createFileStorage } from '../state/file-storage.ts'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { createWorldApi } from '../testing/world-api.ts'
import type { InputPart } from './input-part.ts'
import type { SessionApi } from './session-api.ts'
import { createSessionStore } from './session-store.ts'
import { shownMessages } from './thread-view.ts'

const PARTS: InputPart[] = [{ type: 'text', text: 'Hello' }]
const HELLO = { parts: PARTS, model: null, steer: false }

function setUp({ fresh = false, storage = memoryStorage(), change = (api: SessionApi) => api } = {}) {
  const world = createSessionWorld('ses_1')
  const server = createWorldApi(world, { exists: !fresh })
  const frames: (() => void)[] = []
  const open = () =>
    createSessionStore({
      api: change(server.api),
      storage,
      files: createFileStorage(storage, undefined),
      onNotKept: () => undefined,
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
  for (const text of ['one ', 'two ', 'three ']) world.write(text)
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

test('UI-12 messages that met no connection go out in the order in which they were written', async () => {
  vi.useFakeTimers()
  const answers: (() => void)[] = []
  const { server, store } = setUp({
    change: (api) => ({
      ...api,
      // The first of them takes longer on its way than the second.
      send: async (sent) => {
        if (answers.length === 0) await new Promise<void>((resolve) => answers.push(resolve))
        return api.send(sent)
      },
    }),
  })
  store.start()
  server.unplug()
  const ids = ['One', 'Two', 'Three'].map(
    (text) => store.send({ ...HELLO, parts: [{ type: 'text', text }] }).messageId,
  )
  await vi.advanceTimersByTimeAsync(0)
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(store.get().outgoing.map(({ state }) => state.type)).toEqual(['failed', 'failed', 'failed'])
  answers.length = 0
  server.replug()
  const fourth = store.send({ ...HELLO, parts: [{ type: 'text', text: 'Four' }] })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.sent).toEqual([])
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.sent.map(({ id }) => id)).toEqual([...ids, fourth.messageId])
  expect(store.get().outgoing).toEqual([])
  vi.useRealTimers()
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
    files: createFileStorage(storage, undefined),
    onNotKept: () => undefined,
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

const refused = (appCode: string, message: string) => Object.assign(new Error(message), { data: { appCode } })

test('UI-4 a subscription that broke off begins again, also when the page fetched in between', async () => {
  vi.useFakeTimers()
  let breakOff: () => void = () => undefined
  let begun = 0
  const { world, store } = setUp({
    change: (api) => ({
      ...api,
      watch(sessionId, watcher) {
        begun += 1
        breakOff = () => watcher.onError(new Error('Socket closed'))
        return api.watch(sessionId, watcher)
      },
    }),
  })
  store.start()
  await vi.advanceTimersByTimeAsync(0)
  breakOff()
  expect(store.get().phase).toBe('ready')
  store.loadOlder()
  await vi.advanceTimersByTimeAsync(1_000)
  store.refresh()
  breakOff()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(begun).toBeGreaterThan(2)
  world.send(userMessage('later'))
  expect(store.get().messages.some(({ id }) => id === 'later')).toBe(true)
  vi.useRealTimers()
})

test('UI-4 a run that nobody keeps any more is read from the store, and the page still listens', async () => {
  vi.useFakeTimers()
  let lose: () => void = () => undefined
  let breakOff: () => void = () => undefined
  let begun = 0
  const { world, server, store } = setUp({
    change: (api) => ({
      ...api,
      follow(run, reader) {
        lose = reader.onLost
        return api.follow(run, reader)
      },
      watch(sessionId, watcher) {
        begun += 1
        breakOff = () => watcher.onError(new Error('Socket closed'))
        return api.watch(sessionId, watcher)
      },
    }),
  })
  store.start()
  await vi.advanceTimersByTimeAsync(0)
  world.send(userMessage('user'))
  breakOff()
  const before = server.fetched
  lose()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.fetched).toBeGreaterThan(before)
  expect(begun).toBe(2)
  vi.useRealTimers()
})

test('UI-4 a page that was left asks for nothing any more', async () => {
  vi.useFakeTimers()
  let begun = 0
  const { server, store } = setUp({
    change: (api) => ({
      ...api,
      watch(sessionId, watcher) {
        begun += 1
        const leave = api.watch(sessionId, watcher)
        watcher.onError(new Error('Socket closed'))
        return leave
      },
    }),
  })
  store.start()
  await vi.advanceTimersByTimeAsync(0)
  const asked = [begun, server.fetched]
  store.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([begun, server.fetched]).toEqual(asked)
  vi.useRealTimers()
})

test('UI-4 a message that the server refuses is not sent again by itself, and can be taken back', async () => {
  const { store, storage } = setUp({
    change: (api) => ({ ...api, send: () => Promise.reject(refused('INVALID_INPUT', 'Too long.')) }),
  })
  store.start()
  const { messageId, delivered } = store.send(HELLO)
  expect(await delivered).toBe(false)
  expect(store.get().outgoing).toMatchObject([
    { state: { type: 'failed', failure: 'Too long.', retryable: false } },
  ])
  store.discard(messageId)
  expect(store.get().outgoing).toEqual([])
  expect(storage.keys('palimpsest.outgoing')).toEqual([])
})

test('ID-2 a message that is sent again while it is on its way is posted once', async () => {
  const { server, store } = setUp()
  store.start()
  await vi.waitFor(() => expect(store.get().phase).toBe('ready'))
  const { messageId, delivered } = store.send(HELLO)
  store.retry(messageId)
  store.retry(messageId)
  expect(await delivered).toBe(true)
  expect(server.sent.map(({ id }) => id)).toEqual([messageId])
})

test('UI-15 a message that replaces another waits in no queue', () => {
  const { world, store } = setUp()
  store.start()
  world.send(userMessage('user'))
  store.send({ ...HELLO, replaces: 'user' })
  expect(store.get().outgoing[0]).toMatchObject({ queued: false, replaces: 'user' })
})

test('UI-8 the page above is asked for once, however often it is wanted', async () => {
  let asked = 0
  const { store } = setUp({
    change: (api) => ({
      ...api,
      async fetch(sessionId) {
        const snapshot = await api.fetch(sessionId)
        return { ...snapshot, page: { ...snapshot.page, nextCursor: 'above' } }
      },
      older(sessionId, cursor, far) {
        asked += 1
        return api.older(sessionId, cursor, far)
      },
    }),
  })
  store.loadOlder()
  store.start()
  await vi.waitFor(() => expect(store.get().older.cursor).toBe('above'))
  for (let time = 0; time < 3; time++) store.loadOlder()
  await vi.waitFor(() => expect(store.get().older).toEqual({ cursor: null, state: 'idle' }))
  store.loadOlder()
  expect(asked).toBe(1)
  expect(store.get().messages.map(({ id }) => id)).toEqual(['early'])
})

test('UI-8 a page above that could not be read is asked for again after a moment, however eager its reader is', async () => {
  vi.useFakeTimers()
  try {
    const older = vi.fn<SessionApi['older']>(() => Promise.reject(new Error('Socket closed')))
    const { store, server } = setUp({
      change: (api) => ({
        ...api,
        async fetch(sessionId) {
          const snapshot = await api.fetch(sessionId)
          return { ...snapshot, page: { ...snapshot.page, nextCursor: 'above' } }
        },
        older,
      }),
    })
    // As a thread that is read at its top does.
    store.subscribe(() => store.get().older.state !== 'loading' && store.loadOlder())
    store.start()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(older).toHaveBeenCalledTimes(3)
    older.mockImplementation(server.api.older)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(store.get().messages).toHaveLength(1)
    expect(older).toHaveBeenCalledTimes(4)
  } finally {
    vi.useRealTimers()
  }
})

test('UI-21 an operation that overtakes a fetch is known of, and none of what is loaded is let go', async () => {
  const late = Promise.withResolvers<void>()
  let fetches = 0
  const { world, store } = setUp({
    change: (api) => ({
      ...api,
      async fetch(sessionId) {
        const snapshot = await api.fetch(sessionId)
        fetches += 1
        if (fetches === 2) await late.promise
        return snapshot
      },
    }),
  })
  for (let turn = 0; turn < 30; turn += 1) {
    world.send(userMessage(`user_${turn}`))
    world.settle()
  }
  store.start()
  await vi.waitFor(() => expect(store.get().phase).toBe('ready'))
  store.loadOlder()
  await vi.waitFor(() => expect(store.get().older.cursor).toBeNull())
  const loaded = store.get().messages.length
  store.refresh()
  await vi.waitFor(() => expect(fetches).toBe(2))
  world.rewind(2)
  await vi.waitFor(() => expect(store.get().timeline).toHaveLength(1))
  late.resolve()
  await vi.waitFor(() => expect(store.get().sinceFetch).toBeNull())
  expect(store.get().timeline).toEqual(world.timeline())
  expect(store.get().messages).toHaveLength(loaded)
  expect(shownMessages(store.get()).length).toBe(loaded - 2)
})

import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createTabs } from '../testing/create-tabs.ts'
import { createSessionWorld } from '../testing/session-world.ts'
import { createWorldApi } from '../testing/world-api.ts'
import type { InputPart } from './input-part.ts'
import { createSessionStore } from './session-store.ts'

const TEXT: InputPart = { type: 'text', text: 'Hello' }
const FILE: InputPart = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'a.png',
  url: 'data:image/png;base64,AA==',
}
const HELLO = { parts: [TEXT], model: null, steer: false }

/** A server and a browser whose tabs show one of its sessions, each over a connection of its own. */
function setUp() {
  const world = createSessionWorld('ses_1')
  const tabs = createTabs()
  const lost: string[] = []
  const open = () => {
    const server = createWorldApi(world, { exists: true })
    const tab = tabs.open()
    const store = createSessionStore({
      api: server.api,
      ...tab,
      onNotKept: (what) => lost.push(what),
      sessionId: 'ses_1',
      fresh: false,
      schedule: (task) => task(),
    })
    store.start()
    return { server, store, ...tab }
  }
  const kept = () => tabs.shared.keys('palimpsest.outgoing.ses_1.')
  return { world, open, kept, lost }
}

/** Ids of what people said that the server has, in the thread or in the queue. */
const asked = ({ truth }: ReturnType<typeof createSessionWorld>) =>
  [...truth.messages, ...truth.queue].flatMap(({ id, role }) => (role === 'user' ? [id] : []))

const ready = (tab: { store: { get(): { phase: unknown } } }) =>
  vi.waitFor(() => expect(tab.store.get().phase).toBe('ready'))

test('UI-12 a message that one tab could not send survives what another tab does, and a reload', async () => {
  const { world, open, kept } = setUp()
  const [a, b] = [open(), open()]
  await Promise.all([ready(a), ready(b)])
  a.server.unplug()
  const { messageId, delivered } = a.store.send(HELLO)
  expect(await delivered).toBe(false)
  // The other tab loses its connection, has it back and fetches, again and again.
  for (let round = 0; round < 3; round++) {
    b.server.unplug()
    b.store.refresh()
    await vi.waitFor(() => expect(b.store.get().sinceFetch).toBeNull())
    expect(kept()).toHaveLength(1)
  }
  a.store.stop()
  b.store.stop()
  const reloaded = open()
  await vi.waitFor(() => expect(reloaded.store.get().messages.map(({ id }) => id)).toContain(messageId))
  expect(kept()).toEqual([])
  expect(world.truth.messages.filter(({ id }) => id === messageId)).toHaveLength(1)
})

test('ID-2 a message that two tabs keep is one message, whichever of them sends it', async () => {
  const { world, open, kept } = setUp()
  const [a, b] = [open(), open()]
  await Promise.all([ready(a), ready(b)])
  a.server.unplug()
  const { messageId } = a.store.send(HELLO)
  expect(b.store.get().outgoing.map(({ message }) => message.id)).toEqual([messageId])
  await vi.waitFor(() => expect(a.store.get().outgoing[0]?.state.type).toBe('failed'))
  const c = open()
  a.server.replug()
  await vi.waitFor(() => expect(asked(world)).toEqual([messageId]))
  for (const { store } of [a, b, c]) await vi.waitFor(() => expect(store.get().outgoing).toEqual([]))
  expect(kept()).toEqual([])
})

test('UI-12 a message that is discarded in one tab is gone in the others and is sent by none', async () => {
  const { world, open, kept } = setUp()
  const [a, b] = [open(), open()]
  await Promise.all([ready(a), ready(b)])
  a.server.unplug()
  b.server.unplug()
  const { messageId, delivered } = a.store.send(HELLO)
  await delivered
  expect(b.store.get().outgoing).toHaveLength(1)
  a.store.discard(messageId)
  expect(b.store.get().outgoing).toEqual([])
  expect(kept()).toEqual([])
  b.server.replug()
  a.server.replug()
  await Promise.all([ready(a), ready(b)])
  expect(world.truth.messages).toEqual([])
})

test('UI-12 a message with files is sent whole after a reload', async () => {
  const { open, kept, lost } = setUp()
  const a = open()
  await ready(a)
  a.server.unplug()
  const { delivered } = a.store.send({ ...HELLO, parts: [FILE, TEXT] })
  await delivered
  a.store.stop()
  const sent: unknown[] = []
  const reloaded = open()
  const { send } = reloaded.server.api
  reloaded.server.api.send = (message) => {
    sent.push(message.message.parts)
    return send(message)
  }
  await vi.waitFor(() => expect(sent).toEqual([[FILE, TEXT]]))
  await vi.waitFor(() => expect(kept()).toEqual([]))
  expect(lost).toEqual([])
})

test('UI-12 a message whose files are lost with the page is shown with its words, to be sent or discarded', async () => {
  const { open, lost, world } = setUp()
  const a = open()
  await ready(a)
  a.server.unplug()
  a.files.put = () => Promise.resolve(false)
  const { delivered } = a.store.send({ ...HELLO, parts: [FILE, TEXT] })
  await delivered
  expect(lost).toEqual(['files'])
  a.store.stop()
  const { store } = open()
  await vi.waitFor(() =>
    expect(store.get().outgoing[0]?.state).toMatchObject({ type: 'failed', retryable: false }),
  )
  const [waiting] = store.get().outgoing
  expect(waiting?.message.parts).toEqual([TEXT])
  store.retry(waiting?.message.id ?? '')
  await vi.waitFor(() => expect(asked(world)).toHaveLength(1))
})

test('UI-12 a tab that closes with a message on its way leaves it to the others', async () => {
  vi.useFakeTimers()
  const { open, world } = setUp()
  const [a, b] = [open(), open()]
  await vi.advanceTimersByTimeAsync(0)
  a.server.unplug()
  const { messageId } = a.store.send(HELLO)
  a.store.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked(world)).toEqual([messageId])
  expect(b.store.get().outgoing).toEqual([])
  vi.useRealTimers()
})

type Act = 'send' | 'unplug' | 'replug' | 'refresh' | 'reload' | 'wait'
type Tab = ReturnType<ReturnType<typeof setUp>['open']>

/** What a person does to a tab; returns the tab that is there afterwards. */
function perform(act: Act, tab: Tab, open: () => Tab, written: Set<string>): Tab {
  if (act === 'send') written.add(tab.store.send(HELLO).messageId)
  else if (act === 'refresh') tab.store.refresh()
  else if (act === 'unplug') tab.server.unplug()
  else if (act === 'replug') tab.server.replug()
  else if (act === 'reload') {
    tab.store.stop()
    return open()
  }
  return tab
}

test('UI-12 whatever two tabs do, each message is on the server once or still kept', async () => {
  vi.useFakeTimers()
  const act = fc.constantFrom<Act>('send', 'unplug', 'replug', 'refresh', 'reload', 'wait')
  const steps = fc.array(fc.tuple(fc.boolean(), act), { maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      const { world, open, kept } = setUp()
      let [a, b] = [open(), open()]
      const written = new Set<string>()
      for (const [first, one] of acts) {
        if (first) a = perform(one, a, open, written)
        else b = perform(one, b, open, written)
        await vi.advanceTimersByTimeAsync(one === 'wait' ? 3_000 : 0)
        const stored = asked(world)
        expect(new Set(stored).size).toBe(stored.length)
        const lost = [...written].filter(
          (id) => !stored.includes(id) && !kept().some((key) => key.endsWith(id)),
        )
        expect(lost).toEqual([])
      }
      for (const { store } of [a, b]) store.stop()
    }),
    { numRuns: 60 },
  )
  vi.useRealTimers()
})

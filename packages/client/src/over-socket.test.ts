import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './create-client.ts'
import { socketWithToken } from './socket-with-token.ts'

type Opened = { at: number; url: string; protocols: string[] }

let opened: Opened[] = []
let fate: 'refused' | 'silent' = 'refused'

/** Milliseconds until a connection without a server fails. */
const REFUSAL_MS = 1

/** Milliseconds from each loss of the socket to the next attempt. */
const waits = () => opened.slice(1).map(({ at }, index) => at - (opened[index]?.at ?? 0) - REFUSAL_MS)

/** A socket that is never answered. */
class LostSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  readyState = LostSocket.CONNECTING

  constructor(url: string | URL, protocols: string | string[] = []) {
    super()
    opened.push({ at: Date.now(), url: String(url), protocols: [protocols].flat() })
    if (fate === 'refused') setTimeout(() => this.close(), REFUSAL_MS)
  }

  send(): void {
    throw new Error('It never opened')
  }

  close(): void {
    if (this.readyState === LostSocket.CLOSED) return
    this.readyState = LostSocket.CLOSED
    this.dispatchEvent(new Event('error'))
    this.dispatchEvent(new Event('close'))
  }
}

beforeEach(() => {
  opened = []
  fate = 'refused'
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('WebSocket', LostSocket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const listen = (client: ReturnType<typeof createClient>) =>
  client.session.events.subscribe({ sessionId: 's' }, { onError: () => undefined })

test('AP-3 no socket is opened before a subscription, and one serves all of them', async () => {
  fate = 'silent'
  const client = createClient({ url: 'http://localhost:3000' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(opened).toEqual([])
  listen(client)
  listen(client)
  listen(client)
  await vi.advanceTimersByTimeAsync(1000)
  expect(opened).toHaveLength(1)
})

test('AP-2 a lost socket reconnects at once, then with growing delays, every five seconds at the end', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const client = createClient({ url: 'http://localhost:3000' })
  listen(client)
  await vi.advanceTimersByTimeAsync(30_000)
  const [first, ...later] = waits()
  expect(first).toBeLessThanOrEqual(1)
  expect(later.slice(0, 8)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
})

test('AP-2 clients that lost their server together do not reconnect together', async () => {
  const secondWait = async (random: number) => {
    opened = []
    vi.spyOn(Math, 'random').mockReturnValue(random)
    listen(createClient({ url: 'http://localhost:3000' }))
    await vi.advanceTimersByTimeAsync(400)
    return waits()[1]
  }
  expect(await secondWait(0)).toBe(225)
  expect(await secondWait(1)).toBe(275)
})

test.each([
  ['http://localhost:3000', 'ws://localhost:3000/trpc'],
  ['http://localhost:3000//', 'ws://localhost:3000/trpc'],
  ['HTTP://LOCALHOST:3000/trpc/', 'ws://localhost:3000/trpc'],
  ['http://localhost:3000/chats/trpc?old=1#top', 'ws://localhost:3000/chats/trpc'],
  ['https://chat.example/', 'wss://chat.example/trpc'],
  ['https://chat.example/behind/a/path', 'wss://chat.example/behind/a/path/trpc'],
])('AP-3 the socket of a server at %s is at %s', async (url, socket) => {
  fate = 'silent'
  listen(createClient({ url }))
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.map((each) => each.url.replace(/\?.*/, ''))).toEqual([socket])
})

test('SX-8 the token is sent as a subprotocol and is in no URL', async () => {
  fate = 'silent'
  listen(createClient({ url: 'http://localhost:3000', token: 'a-token/of+some=length' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(opened[0]?.protocols).toEqual([
    'palimpsest',
    `palimpsest.token.${Buffer.from('a-token/of+some=length').toString('base64url')}`,
  ])
  expect(opened[0]?.url).not.toContain('a-token')
  listen(createClient({ url: 'http://localhost:3000' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(opened[1]?.protocols).toEqual([])
})

test('SX-8 any token becomes a subprotocol that a header can hold, and is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (token) => {
      opened = []
      fate = 'silent'
      const WithToken = socketWithToken(token)
      expect(new WithToken('ws://localhost/trpc') instanceof LostSocket).toBe(true)
      const carried = opened[0]?.protocols[1] ?? ''
      expect(carried).toMatch(/^[\w.-]+$/)
      expect(Buffer.from(carried.slice('palimpsest.token.'.length), 'base64url').toString()).toBe(token)
    }),
  )
})

test('CL-1 an async function can return a client, since it has no property `then`', async () => {
  const client = await Promise.resolve(createClient({ url: 'http://localhost:3000' }))
  expect(typeof client.session.send.mutate).toBe('function')
  await client.dispose()
})

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { streamOut } from '../trpc/stream-out.ts'
import { responseOutlet, socketOutlet } from './socket-outlet.ts'

const TOO_MUCH = Buffer.alloc(SERVER_LIMITS.unsentBytes + 1)

/** A connection whose peer reads only when a test says so. */
function openSocket() {
  const taken: (() => void)[] = []
  const socket = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => void taken.push(done),
  })
  return {
    // An outlet uses only what every stream has.
    socket: socket as unknown as Socket,
    take: () => taken.shift()?.(),
    listeners: () => socket.listenerCount('drain') + socket.listenerCount('close'),
  }
}

/** Whether a promise has settled after all pending callbacks have run, those of streams in turn included. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  promise.then(() => {
    done = true
  })
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  return done
}

test('LS-4 a stream pauses while more than its share is unsent, and continues once that is read', async () => {
  const { socket, take } = openSocket()
  const outlet = socketOutlet(socket)
  expect(await settled(outlet.writable())).toBe(true)
  socket.write(TOO_MUCH)
  const waiting = [outlet.writable(), outlet.writable(), outlet.writable()]
  expect(await Promise.all(waiting.map(settled))).toEqual([false, false, false])
  take()
  expect(await Promise.all(waiting.map(settled))).toEqual([true, true, true])
})

test('LS-4 a stream does not wait for a closed connection', async () => {
  const { socket } = openSocket()
  const outlet = socketOutlet(socket)
  socket.write(TOO_MUCH)
  const waiting = outlet.writable()
  socket.destroy()
  expect(await settled(waiting)).toBe(true)
  expect(await settled(outlet.writable())).toBe(true)
})

test('LS-4 a connection that is slow for days keeps no listeners of its waits', async () => {
  const { socket, take, listeners } = openSocket()
  const outlet = socketOutlet(socket)
  const before = listeners()
  for (let wait = 0; wait < 40; wait++) {
    socket.write(TOO_MUCH)
    const waiting = outlet.writable()
    take()
    await waiting
  }
  expect(listeners()).toBe(before)
})

test('SX-6 a connection has a limited number of subscriptions, and one that ends frees its claim', () => {
  const { claim } = socketOutlet(openSocket().socket)
  const claims = Array.from({ length: SERVER_LIMITS.subscriptionsPerSocket }, () => claim())
  expect(claim).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  claims[500]?.[Symbol.dispose]()
  claims.push(claim())
  expect(claim).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
})

test('LS-4 an answer is writable at its next drain, or when its reader has gone', async () => {
  const slow = openSocket()
  slow.socket.write(TOO_MUCH)
  const waiting = drained(slow.socket)
  expect(await settled(waiting)).toBe(false)
  slow.take()
  expect(await settled(waiting)).toBe(true)

  const left = openSocket()
  const forNobody = drained(left.socket)
  left.socket.destroy()
  await forNobody
  await drained(left.socket)
  expect([slow.listeners(), left.listeners()]).toEqual([0, 0])
})

test('LS-4 waiting streams of one connection write in turn, each after the one before', async () => {
  const { socket, take } = openSocket()
  const outlet = socketOutlet(socket)
  socket.write(TOO_MUCH)
  let written = 0
  const streams = Array.from({ length: 1_000 }, async () => {
    await outlet.writable()
    socket.write(Buffer.alloc(32_768))
    written += 1
  })
  while (written < 1_000) {
    take()
    await settled(Promise.all(streams))
    expect(socket.writableLength).toBeLessThanOrEqual(SERVER_LIMITS.unsentBytes + 32_768)
  }
})

test('LS-4 a subscription reads from its source only what its connection can send', async () => {
  const { socket, take } = openSocket()
  let asked = 0
  async function* source() {
    for (; asked < 5; asked++) yield asked
  }
  const stream = streamOut(socketOutlet(socket), source())
  expect((await stream.next()).value).toBe(0)
  socket.write(TOO_MUCH)
  const second = stream.next()
  expect(await settled(second)).toBe(false)
  expect(asked).toBe(0)
  take()
  expect((await second).value).toBe(1)
})

test('SX-6 a subscription releases its claim however it ends', async () => {
  let held = 0
  const outlet = {
    ...responseOutlet,
    claim() {
      held += 1
      return {
        [Symbol.dispose]: () => {
          held -= 1
        },
      }
    },
  }
  async function* source(fails: boolean) {
    yield 'one'
    if (fails) throw new Error('The store is gone')
  }
  expect(await Array.fromAsync(streamOut(outlet, source(false)))).toEqual(['one'])
  await expect(Array.fromAsync(streamOut(outlet, source(true)))).rejects.toMatchObject({
    code: 'INTERNAL_SERVER_ERROR',
    message: expect.not.stringContaining('store'),
  })
  const left = streamOut(outlet, source(true))
  await left.next()
  expect(held).toBe(1)
  await left.return()
  expect(held).toBe(0)
})

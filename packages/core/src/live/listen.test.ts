import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/session/event.ts'
import type { SessionEvents } from '../ports/index.ts'
import { listen } from './listen.ts'
import { createMemorySessionEvents } from './memory-session-events.ts'

const title = (text: string, sessionId = 'ses_1'): SessionEvent => ({ type: 'title', sessionId, title: text })

/** Lets everything that can happen now happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Session events that count their listeners. */
function countedEvents(): SessionEvents & { readonly listeners: number } {
  const events = createMemorySessionEvents({ logger: silentLogger })
  let listeners = 0
  return {
    publish: events.publish,
    subscribe(sessionId, listener) {
      const subscription = events.subscribe(sessionId, listener)
      listeners += 1
      return {
        [Symbol.dispose]() {
          listeners -= 1
          subscription[Symbol.dispose]()
        },
      }
    },
    get listeners() {
      return listeners
    },
  }
}

test('ST-2 a listener gets the current state first and then each change, also what changed meanwhile', async () => {
  const events = countedEvents()
  const asked = Promise.withResolvers<SessionEvent[]>()
  const heard = listen(events, 'ses_1', () => asked.promise)
  const first = heard.next()
  events.publish(title('meanwhile'))
  asked.resolve([title('current')])
  expect((await first).value).toEqual(title('current'))
  expect((await heard.next()).value).toEqual(title('meanwhile'))
  const next = heard.next()
  events.publish(title('later'))
  expect((await next).value).toEqual(title('later'))
  await heard.return(undefined)
  expect(events.listeners).toBe(0)
})

test('ST-2 a listener gets the events of its own session, and one of all sessions gets every event', async () => {
  const events = countedEvents()
  const one = listen(events, 'ses_1', () => Promise.resolve([title('now')]))
  const every = listen(events, null, () => Promise.resolve([title('now')]))
  await Promise.all([one.next(), every.next()])
  events.publish(title('other', 'ses_2'))
  events.publish(title('mine'))
  expect((await one.next()).value).toEqual(title('mine'))
  expect((await every.next()).value).toEqual(title('other', 'ses_2'))
  await Promise.all([one.return(undefined), every.return(undefined)])
})

test('LS-4 a listener who leaves, by signal or by breaking off, frees its subscription', async () => {
  const events = countedEvents()
  const stop = new AbortController()
  const waiting = Array.fromAsync(listen(events, null, () => Promise.resolve([title('now')]), stop.signal))
  for await (const _ of listen(events, null, () => Promise.resolve([title('now')]))) break
  expect(events.listeners).toBe(1)
  stop.abort()
  expect(await waiting).toEqual([title('now')])
  expect(events.listeners).toBe(0)
})

test('LS-4 a subscription whose current state cannot be had fails and is freed', async () => {
  const events = countedEvents()
  await expect(listen(events, 'ses_1', () => Promise.reject(new Error('gone'))).next()).rejects.toThrow(
    'gone',
  )
  expect(events.listeners).toBe(0)
})

const many = (count: number) => Array.from({ length: count }, (_, index) => title(`${index}`))

test('LS-4 a listener that lags by more than 1,000 events gets a reset, the current state again, and what follows', async () => {
  const events = countedEvents()
  let state = 'first'
  const heard = listen(events, 'ses_1', () => Promise.resolve([title(state)]))
  await heard.next()
  for (const event of many(1_001)) events.publish(event)
  state = 'second'
  expect((await heard.next()).value).toEqual({ type: 'reset', sessionId: 'ses_1' })
  events.publish(title('meanwhile'))
  expect((await heard.next()).value).toEqual(title('second'))
  expect((await heard.next()).value).toEqual(title('meanwhile'))
  const next = heard.next()
  events.publish(title('later'))
  expect((await next).value).toEqual(title('later'))
  await heard.return(undefined)
})

test('LS-4 a listener that lags by 1,000 events gets each of them', async () => {
  const events = countedEvents()
  const heard = listen(events, 'ses_1', () => Promise.resolve([title('now')]))
  await heard.next()
  for (const event of many(1_000)) events.publish(event)
  for (const event of many(1_000)) expect((await heard.next()).value).toEqual(event)
  await heard.return(undefined)
})

test.for(['while its state is read', 'while it takes its state', 'while it takes what waited'])(
  'LS-4 a listener that lags %s gets a reset and keeps no event from before it',
  async (when) => {
    const events = countedEvents()
    const asked = Promise.withResolvers<SessionEvent[]>()
    let states = 0
    const heard = listen(events, null, () =>
      states++ === 0 ? asked.promise : Promise.resolve([title(`state ${states}`)]),
    )
    const first = heard.next()
    if (when === 'while its state is read') for (const event of many(5_000)) events.publish(event)
    asked.resolve([title('a'), title('b')])
    expect((await first).value).toEqual(title('a'))
    if (when === 'while it takes its state') for (const event of many(5_000)) events.publish(event)
    expect((await heard.next()).value).toEqual(title('b'))
    if (when === 'while it takes what waited') {
      for (const event of many(900)) events.publish(event)
      expect((await heard.next()).value).toEqual(title('0'))
      for (const event of many(900)) events.publish(event)
    }
    expect((await heard.next()).value).toEqual({ type: 'reset', sessionId: null })
    expect((await heard.next()).value).toEqual(title('state 2'))
    const next = heard.next()
    events.publish(title('on'))
    expect((await next).value).toEqual(title('on'))
    await heard.return(undefined)
  },
)

test('LS-4 large events are kept for a listener up to 1 MB together, and one event of any size', async () => {
  const events = countedEvents()
  const heard = listen(events, 'ses_1', () => Promise.resolve([title('now')]))
  await heard.next()
  const large = title('x'.repeat(3_000_000))
  events.publish(large)
  expect((await heard.next()).value).toEqual(large)
  for (let count = 0; count < 3; count++) events.publish(title('y'.repeat(400_000)))
  expect((await heard.next()).value).toEqual({ type: 'reset', sessionId: 'ses_1' })
  await heard.return(undefined)
})

test('LS-4 the memory of a listener that never reads again does not grow with the events', async () => {
  const events = countedEvents()
  const heard = listen(events, null, () => Promise.resolve([title('now')]))
  await heard.next()
  const published = Array.from({ length: 2_000 }, (_, index) => {
    const event = title(`${index}`)
    events.publish(event)
    return new WeakRef(event)
  })
  await settle()
  collectGarbage()
  expect(published.filter((each) => each.deref() !== undefined)).toEqual([])
  await heard.return(undefined)
})

test('ST-2 a listener that missed any events while it lagged ends with the state of one that missed none', async () => {
  const pace = fc.array(fc.nat({ max: 1_500 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(pace, async (bursts) => {
      const events = countedEvents()
      let state = 'start'
      let seen = ''
      const heard = listen(events, 'ses_1', () => Promise.resolve([title(state)]))
      const take = async () => {
        const { value } = await heard.next()
        if (value?.type === 'title') seen = value.title
      }
      await take()
      for (const [round, burst] of bursts.entries()) {
        for (let count = 0; count < burst; count++) {
          state = `${round}.${count}`
          events.publish(title(state))
        }
        if (burst > 0) await take()
      }
      state = 'end'
      events.publish(title(state))
      while (seen !== 'end') await take()
      await heard.return(undefined)
    }),
    { numRuns: 30 },
  )
})

test('LS-4 a listener that throws does not affect the others', () => {
  const events = createMemorySessionEvents({ logger: silentLogger })
  const heard: SessionEvent[] = []
  using _throwing = events.subscribe('ses_1', () => {
    throw new Error('broken viewer')
  })
  using _listening = events.subscribe('ses_1', (event) => heard.push(event))
  events.publish(title('all the same'))
  expect(heard).toEqual([title('all the same')])
})

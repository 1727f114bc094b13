import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/event.ts'
import type { SessionEvents } from '../ports/index.ts'
import { silentLogger } from '../testing/core-lab.ts'
import { listen } from './listen.ts'
import { createMemorySessionEvents } from './memory-session-events.ts'

const title = (text: string, sessionId = 'ses_1'): SessionEvent => ({ type: 'title', sessionId, title: text })

/** Session events that know how many listen. */
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

test('ST-2 a listener hears its own session, and one of all sessions hears every one', async () => {
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

test('LS-4 a listener who never comes back is let go instead of filling the memory', async () => {
  const events = countedEvents()
  const heard = listen(events, null, () => Promise.resolve([title('now')]))
  await heard.next()
  for (let count = 0; count < 10_001; count++) events.publish(title(`${count}`))
  expect((await heard.next()).done).toBe(true)
  expect(events.listeners).toBe(0)
})

test('LS-4 a listener that throws harms nobody else', () => {
  const events = createMemorySessionEvents({ logger: silentLogger })
  const heard: SessionEvent[] = []
  using _throwing = events.subscribe('ses_1', () => {
    throw new Error('broken viewer')
  })
  using _listening = events.subscribe('ses_1', (event) => heard.push(event))
  events.publish(title('all the same'))
  expect(heard).toEqual([title('all the same')])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ConnectionEvent, connectionOf, learnOfConnection, NOT_CONNECTED } from './connection.ts'

const after = (events: ConnectionEvent[]) => connectionOf(events.reduce(learnOfConnection, NOT_CONNECTED))

test('UI-4 a lost connection reads as reconnecting, and as offline while the browser has no network', () => {
  expect(after([])).toBe('connecting')
  expect(after(['opened', 'lost'])).toBe('reconnecting')
  expect(after(['opened', 'lost', 'network-gone'])).toBe('offline')
  expect(after(['opened', 'network-gone', 'lost', 'network-back'])).toBe('reconnecting')
})

test('UI-4 a network that was away for a moment, without the socket noticing, leaves the page online', () => {
  expect(after(['opened', 'network-gone', 'network-back'])).toBe('online')
})

test('AP-2 whatever happened before, an open connection reads as online', () => {
  const event = fc.constantFrom<ConnectionEvent>('opened', 'lost', 'network-gone', 'network-back')
  fc.assert(
    fc.property(fc.array(event), (events) => {
      expect(after([...events, 'opened'])).toBe('online')
    }),
  )
})

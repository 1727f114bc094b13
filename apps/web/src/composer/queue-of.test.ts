import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outgoing, OutgoingState } from '../session/outgoing.ts'
import { userMessage } from '../testing/session-world.ts'
import { queueOf } from './queue-of.ts'

const FAILED: OutgoingState = { type: 'failed', failure: 'No', retryable: true }

const outgoing = (id: string, facts: Partial<Outgoing> = {}): Outgoing => ({
  message: userMessage(id),
  model: null,
  queued: true,
  steer: false,
  replaces: null,
  createsSession: false,
  state: { type: 'sending' },
  ...facts,
})

const idsOf = (...input: Parameters<typeof queueOf>) => queueOf(...input).map(({ id }) => id)

test('UI-15 what is on its way into the queue is behind what waits there', () => {
  const state = { queue: [userMessage('a'), userMessage('b')], outgoing: [outgoing('c'), outgoing('d')] }
  expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd'])
})

test.each([
  ['is on its way into the thread', outgoing('x', { queued: false })],
  ['could not be sent', outgoing('x', { state: FAILED })],
  ['was refused', outgoing('x', { state: { type: 'failed', failure: 'No', retryable: false } })],
])('UI-15 a message that %s is not in the queue', (_, entry) => {
  expect(idsOf({ queue: [userMessage('a')], outgoing: [entry] })).toEqual(['a'])
})

test('UI-15 a message that the server has and has not shown yet stays in the queue', () => {
  expect(idsOf({ queue: [], outgoing: [outgoing('x', { state: { type: 'sent' } })] })).toEqual(['x'])
})

test('UI-15 whatever is on its way, the order of the server comes first and that of the writer after it', () => {
  const states = fc.constantFrom<OutgoingState>({ type: 'sending' }, { type: 'sent' }, FAILED)
  const entries = fc.array(fc.record({ queued: fc.boolean(), state: states }), { maxLength: 8 })
  fc.assert(
    fc.property(fc.nat(5), entries, (waiting, facts) => {
      const queue = Array.from({ length: waiting }, (_, at) => userMessage(`q${at}`))
      const coming = facts.map((fact, at) => outgoing(`o${at}`, fact))
      const ids = idsOf({ queue, outgoing: coming })
      expect(ids.slice(0, waiting)).toEqual(queue.map(({ id }) => id))
      expect(ids.slice(waiting)).toEqual(
        coming.filter(({ queued, state }) => queued && state !== FAILED).map(({ message }) => message.id),
      )
    }),
  )
})

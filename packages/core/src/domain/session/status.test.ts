import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IDLE, isRunning, type SessionStatus, type StatusEvent, transition } from './status.ts'

const event: fc.Arbitrary<StatusEvent> = fc.oneof(
  fc.record({ type: fc.constant('started' as const), runId: fc.string(), at: fc.nat() }),
  fc.record({
    type: fc.constant('retry-scheduled' as const),
    attempt: fc.nat(),
    message: fc.string(),
    retryAt: fc.nat(),
  }),
  fc.constant({ type: 'retry-begun' as const }),
  fc.record({
    type: fc.constant('waiting' as const),
    on: fc.constantFrom('approval' as const, 'answer' as const),
  }),
  fc.record({
    type: fc.constant('found-waiting' as const),
    runId: fc.string(),
    at: fc.nat(),
    on: fc.constant('answer' as const),
  }),
  fc.constant({ type: 'resumed' as const }),
  fc.constant({ type: 'settled' as const }),
  fc.constant({ type: 'failed' as const, code: 'PROVIDER_ERROR' as const, message: 'No' }),
)

const FIELDS: Record<SessionStatus['state'], string[]> = {
  idle: ['state'],
  busy: ['state', 'runId', 'startedAt'],
  waiting: ['state', 'runId', 'startedAt', 'waitingOn'],
  retrying: ['state', 'runId', 'startedAt', 'attempt', 'message', 'retryAt'],
  error: ['state', 'runId', 'code', 'message'],
}

test('ST-1 any events in any order lead to a status that holds only what is valid in it', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const status = events.reduce(transition, IDLE)
      expect(FIELDS[status.state]).toEqual(expect.arrayContaining(Object.keys(status)))
    }),
  )
})

test('ST-1 a run that is on keeps its id until it has settled or failed', () => {
  fc.assert(
    fc.property(fc.array(event), event, (events, last) => {
      const before = events.reduce(transition, IDLE)
      const after = transition(before, last)
      if (isRunning(before) && isRunning(after)) expect(after.runId).toBe(before.runId)
    }),
  )
})

test('ST-1 an event that means nothing in a state leaves the very same status', () => {
  for (const type of ['retry-begun', 'resumed', 'settled'] as const) {
    expect(transition(IDLE, { type })).toBe(IDLE)
  }
})

test('ST-3 an error is cleared by the next start', () => {
  const failed: SessionStatus = { state: 'error', runId: 'run_1', code: 'PROVIDER_ERROR', message: 'No' }
  expect(transition(failed, { type: 'settled' })).toBe(failed)
  expect(transition(failed, { type: 'started', runId: 'run_2', at: 5 })).toEqual({
    state: 'busy',
    runId: 'run_2',
    startedAt: 5,
  })
})

test('ST-4 a retry states its attempt, its reason and its time, and then the run is busy again', () => {
  const busy: SessionStatus = { state: 'busy', runId: 'run_1', startedAt: 1 }
  const retrying = transition(busy, {
    type: 'retry-scheduled',
    attempt: 2,
    message: 'Overloaded',
    retryAt: 9,
  })
  expect(retrying).toEqual({
    state: 'retrying',
    runId: 'run_1',
    startedAt: 1,
    attempt: 2,
    message: 'Overloaded',
    retryAt: 9,
  })
  expect(transition(retrying, { type: 'retry-begun' })).toEqual(busy)
})

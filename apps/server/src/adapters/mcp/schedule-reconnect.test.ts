import { createFakeClock } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createReconnectScheduler } from './schedule-reconnect.ts'

test.each([
  [0, 500],
  [1_200, 1_200],
  [99_999_999_999, 60_000],
])(
  'MC-2 a stream whose server asks to be called again after %d ms is opened after %d ms',
  (asked, waited) => {
    const clock = createFakeClock()
    let opened = 0
    createReconnectScheduler(clock)(() => (opened += 1), asked)
    clock.advance(waited - 1)
    expect(opened).toBe(0)
    clock.advance(1)
    expect(opened).toBe(1)
  },
)

test('MC-2 a stream of a connection that has ended is not opened again', () => {
  const clock = createFakeClock()
  let opened = 0
  const cancel = createReconnectScheduler(clock)(() => (opened += 1), 0)
  cancel()
  clock.advance(60_000)
  expect([opened, clock.pending]).toEqual([0, 0])
})

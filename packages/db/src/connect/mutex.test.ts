import { setImmediate as soon } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMutex } from './mutex.ts'

test('DA-6 callers hold the mutex one at a time and in the order of their calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2), { maxLength: 12 }), async (durations) => {
      const mutex = createMutex()
      const order: number[] = []
      let inside = 0
      const visit = async (place: number, ticks: number) => {
        const release = await mutex.acquire()
        expect(++inside).toBe(1)
        order.push(place)
        for (let tick = 0; tick < ticks; tick++) await soon()
        inside--
        release()
      }
      await Promise.all(durations.map((ticks, place) => visit(place, ticks)))
      expect(order).toEqual(durations.map((_, place) => place))
    }),
    { numRuns: 30 },
  )
})

test('DA-6 a turn ends once, however often its end is announced', async () => {
  const mutex = createMutex()
  const first = await mutex.acquire()
  const second = mutex.acquire()
  let third = false
  const waiting = mutex.acquire().then((release) => {
    third = true
    return release
  })
  first()
  first()
  first()
  const endSecond = await second
  await soon()
  expect(third).toBe(false)
  endSecond()
  first()
  const endThird = await waiting
  endThird()
  const last = await mutex.acquire()
  last()
})

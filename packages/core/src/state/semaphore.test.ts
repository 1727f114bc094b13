import { setImmediate as soon } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const NEVER = new AbortController().signal

test('PR-4 no more work is under way at once than the semaphore permits, and all of it has its turn in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 20 }), async (count, jobs) => {
      const semaphore = createSemaphore(count)
      const begun: number[] = []
      let underWay = 0
      let most = 0
      const work = async (job: number) => {
        using _ = await semaphore.acquire(NEVER)
        begun.push(job)
        underWay += 1
        most = Math.max(most, underWay)
        await soon()
        underWay -= 1
      }
      await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)))
      expect(begun).toEqual(Array.from({ length: jobs }, (_, job) => job))
      expect(most).toBe(Math.min(count, jobs))
    }),
    { numRuns: 30 },
  )
})

test('PR-4 a waiter that aborts leaves its permit to the next one, also when it is granted at that moment', async () => {
  const semaphore = createSemaphore(1)
  const first = await semaphore.acquire(NEVER)
  const stop = new AbortController()
  const givesUp = semaphore.acquire(stop.signal)
  const atThatMoment = new AbortController()
  const both = semaphore.acquire(atThatMoment.signal)
  const last = semaphore.acquire(NEVER)
  stop.abort(new Error('Enough'))
  await expect(givesUp).rejects.toThrow('Enough')
  first[Symbol.dispose]()
  atThatMoment.abort(new Error('Enough'))
  // Whichever of the two happened first, the permit is not lost.
  await both.then((permit) => permit[Symbol.dispose]()).catch(() => undefined)
  const permit = await last
  permit[Symbol.dispose]()
  await expect(semaphore.acquire(AbortSignal.abort(new Error('Before')))).rejects.toThrow('Before')
  using _ = await semaphore.acquire(NEVER)
})

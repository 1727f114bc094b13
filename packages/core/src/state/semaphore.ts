import { untilAborted } from '../domain/until-aborted.ts'

/** Limits how many holders run at once; callers acquire permits in the order of their calls. */
export type Semaphore = {
  /** Resolves with a permit, which releases when it is disposed. Throws when the signal aborts first. */
  acquire(signal: AbortSignal): Promise<Disposable>
}

export function createSemaphore(count: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = count

  function release() {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else await wait(signal)
      return { [Symbol.dispose]: release }
    },
  }

  async function wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    try {
      await untilAborted(promise, signal)
    } catch (error) {
      const index = waiting.indexOf(resolve)
      // A permit that was granted at the same moment goes to the next caller.
      if (index === -1) release()
      else waiting.splice(index, 1)
      throw error
    }
  }
}

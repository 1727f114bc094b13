import { untilAborted } from '../domain/until-aborted.ts'

/** So many at a time, in order of asking. */
export type Slots = {
  /** Resolves when it is one's turn, to what ends it. Throws when the signal aborts before. */
  take(signal: AbortSignal): Promise<Disposable>
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count

  function release() {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else await turn(signal)
      return { [Symbol.dispose]: release }
    },
  }

  async function turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    try {
      await untilAborted(promise, signal)
    } catch (error) {
      const place = waiting.indexOf(resolve)
      // A turn that came at that very moment goes to the next one.
      if (place === -1) release()
      else waiting.splice(place, 1)
      throw error
    }
  }
}

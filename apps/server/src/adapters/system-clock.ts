import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@palimpsest/core/ports'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted()
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

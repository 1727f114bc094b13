import type { Clock } from '../ports/index.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),

  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      function stop() {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
    })
  },

  // biome-ignore lint/style/noRestrictedGlobals: this is the adapter of the port that the rest of the core uses.
  yieldToLoop: () => new Promise((resolve) => setImmediate(resolve)),

  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref?.()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

/** Lets many wait for something to happen; each wait ends exactly once. */
export type Wakeup = {
  /** Ends every wait. Returns how many there were. */
  wake(): number
  /** Resolves with the next `wake`, or when the signal aborts. Never rejects. */
  next(signal?: AbortSignal): Promise<void>
}

export function createWakeup(): Wakeup {
  const waiting = new Set<() => void>()

  return {
    wake() {
      const woken = [...waiting]
      waiting.clear()
      for (const resume of woken) resume()
      return woken.length
    },
    next(signal) {
      if (signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        function resume() {
          waiting.delete(resume)
          signal?.removeEventListener('abort', resume)
          resolve()
        }
        waiting.add(resume)
        signal?.addEventListener('abort', resume, { once: true })
      })
    },
  }
}

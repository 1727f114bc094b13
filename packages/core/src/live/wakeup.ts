/** Lets many wait for something to happen, without anyone being told twice or not at all. */
export type Wakeup = {
  wake(): void
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

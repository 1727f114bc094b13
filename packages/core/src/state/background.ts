import type { Logger } from '../ports/index.ts'

/** Runs work in the background: it never delays a reply, and stops with the host. */
export type Background = AsyncDisposable & {
  start(name: string, work: (signal: AbortSignal) => Promise<unknown>): void
}

export function createBackground({ logger }: { logger: Logger }): Background {
  const stop = new AbortController()
  const jobs = new Set<Promise<unknown>>()

  return {
    start(name, work) {
      if (stop.signal.aborted) return
      const job: Promise<unknown> = work(stop.signal)
        .catch((error: unknown) => logger.warn({ error, job: name }, 'A background job failed'))
        .finally(() => jobs.delete(job))
      jobs.add(job)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.allSettled(jobs)
    },
  }
}

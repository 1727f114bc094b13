import type { Clock } from '../ports/index.ts'

/** The provider sent nothing for too long. */
class StalledError extends Error {
  constructor(ms: number) {
    super(`The provider timed out: it sent nothing for ${Math.round(ms / 1000)} s`)
    this.name = 'StalledError'
  }
}

type Limits = {
  clock: Clock
  /** Milliseconds of silence after which the stream is given up with a `StalledError`. */
  stallMs: number
  signal: AbortSignal
}

/** Yields the stream's items until it ends, `signal` aborts, or nothing arrives for `stallMs`. */
export async function* untilSilent<T>(
  stream: ReadableStream<T>,
  { clock, stallMs, signal }: Limits,
): AsyncGenerator<T> {
  const reader = stream.getReader()
  let stopped: { reason: unknown } | null = null
  let giveUp: (reason: unknown) => void = () => undefined
  let heardAt = clock.elapsed()
  let timer: Disposable | null = null
  const onAbort = () => stop(signal.reason)

  function stop(reason: unknown) {
    stopped ??= { reason }
    giveUp(reason)
  }

  // Racing each read against one promise would add a reaction to it with every chunk.
  function read() {
    return new Promise<ReadableStreamReadResult<T>>((resolve, reject) => {
      if (stopped !== null) reject(stopped.reason)
      giveUp = reject
      reader.read().then(resolve, reject)
    })
  }

  // One timer that is checked when it fires is cheaper than one for each chunk.
  function watch(ms: number) {
    timer = clock.after(ms, () => {
      const left = heardAt + stallMs - clock.elapsed()
      if (left <= 0) stop(new StalledError(stallMs))
      else watch(left)
    })
  }

  try {
    if (signal.aborted) return
    signal.addEventListener('abort', onAbort, { once: true })
    watch(stallMs)
    while (!signal.aborted) {
      const { done, value } = await read()
      if (done) return
      heardAt = clock.elapsed()
      yield value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    ;(timer as Disposable | null)?.[Symbol.dispose]()
    reader.cancel().catch(() => undefined)
  }
}

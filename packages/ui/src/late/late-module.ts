/** Code that comes after the page's first paint. */
export type LateModule<M> = {
  /** What has come; null until then. */
  readonly get: () => M | null
  /** Fetches it, once. */
  readonly load: () => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Milliseconds until code that could not be fetched is asked for again. */
const RETRY_MS = 2_000

export function lateModule<M>(fetchModule: () => Promise<M>): LateModule<M> {
  const listeners = new Set<() => void>()
  let state: { asked: boolean; module: M | null } = { asked: false, module: null }

  function load() {
    if (state.asked) return
    state = { asked: true, module: null }
    fetchModule().then(
      (module) => {
        state = { asked: true, module }
        for (const listener of listeners) listener()
      },
      () => {
        setTimeout(() => {
          state = { asked: false, module: null }
          load()
        }, RETRY_MS)
      },
    )
  }

  return {
    get: () => state.module,
    load,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

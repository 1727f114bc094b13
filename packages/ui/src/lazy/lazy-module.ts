/** A module that is loaded after the first paint. */
export type LazyModule<M> = {
  /** Returns the module; null until it is loaded. */
  readonly get: () => M | null
  /** Starts loading, once; later calls do nothing. */
  readonly load: () => void
  /** Calls the listener once the module is loaded. Returns how to unsubscribe. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Milliseconds until a failed load is retried. */
const RETRY_MS = 2_000

/** Returns a module that `load` fetches with this import, and fetches again after a failure. */
export function lazyModule<M>(fetchModule: () => Promise<M>): LazyModule<M> {
  const listeners = new Set<() => void>()
  let state: { requested: boolean; module: M | null } = { requested: false, module: null }

  function load() {
    if (state.requested) return
    state = { requested: true, module: null }
    fetchModule().then(
      (module) => {
        state = { requested: true, module }
        for (const listener of listeners) listener()
      },
      () => {
        setTimeout(() => {
          state = { requested: false, module: null }
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

/** Loads a module and resolves with it. */
export function whenLoaded<M>(module: LazyModule<M>): Promise<M> {
  return new Promise((resolve) => {
    const check = () => {
      const loaded = module.get()
      if (loaded === null) return
      unsubscribe()
      resolve(loaded)
    }
    const unsubscribe = module.subscribe(check)
    module.load()
    check()
  })
}

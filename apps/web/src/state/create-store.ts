/** A value that can be watched; what React's `useSyncExternalStore` reads. */
export type Store<T> = {
  /** What the store began with: what a page shows that was rendered on the server. */
  readonly initial: T
  get(): T
  /** Sets the value and calls the listeners, unless it is the same value. */
  set(value: T): void
  subscribe(listener: () => void): () => void
}

/** A store that others only read. */
export type WatchedStore<T> = Pick<Store<T>, 'initial' | 'get' | 'subscribe'>

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial

  return {
    initial,
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

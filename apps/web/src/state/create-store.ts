/** A value that can be watched; what React's `useSyncExternalStore` reads. */
export type Store<T> = {
  get(): T
  /** Tells the watchers, unless the value is the one that was there. */
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial

  return {
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

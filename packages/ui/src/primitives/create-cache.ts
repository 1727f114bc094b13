/** Keeps the values that were used last. */
export type Cache<T> = { get: (key: string) => T | undefined; set: (key: string, value: T) => void }

export function createCache<T>(limit: number): Cache<T> {
  const entries = new Map<string, T>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next()
      if (entries.size > limit && !oldest.done) entries.delete(oldest.value)
    },
  }
}

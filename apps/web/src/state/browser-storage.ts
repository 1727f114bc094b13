/** What of the browser's storage is used; it may be full, forbidden or absent. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  /** Every key that begins with `prefix`, in order. */
  keys(prefix: string): string[]
  /** Calls back for each key that another tab writes, or removes, which is null. */
  subscribe(listener: (key: string, text: string | null) => void): () => void
}

/** Parses what is stored under `key`; null when nothing readable is there. */
export function readStored(storage: KeyValueStorage, key: string): unknown {
  try {
    const text = storage.getItem(key)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Stores a value, or takes the key away for null. False when the browser's storage is full or disabled. */
export function writeStored(storage: KeyValueStorage, key: string, value: unknown): boolean {
  try {
    if (value === null) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** The browser's own storage, of this tab or of all, or one in memory where there is none. */
export function browserStorage(of: 'all' | 'tab'): KeyValueStorage {
  try {
    if (typeof window !== 'undefined') {
      return fromBrowser(of === 'tab' ? window.sessionStorage : window.localStorage)
    }
  } catch {
    // A browser that forbids storage throws on the mere mention of it.
  }
  return memoryStorage()
}

function fromBrowser(storage: Storage): KeyValueStorage {
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: (prefix) => keysOf(Object.keys(storage), prefix),
    subscribe(listener) {
      const receive = ({ storageArea, key, newValue }: StorageEvent) => {
        if (storageArea === storage && key !== null) listener(key, newValue)
      }
      window.addEventListener('storage', receive)
      return () => window.removeEventListener('storage', receive)
    },
  }
}

export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: (prefix) => keysOf([...values.keys()], prefix),
    subscribe: () => () => undefined,
  }
}

function keysOf(keys: readonly string[], prefix: string): string[] {
  return keys.filter((key) => key.startsWith(prefix)).sort()
}

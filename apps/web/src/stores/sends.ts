import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type WatchedStore } from '../state/create-store.ts'

const KEY = 'palimpsest.sends'

/** Messages after which the keys of the composer are known. */
const KNOWN_AFTER = 3

export type Sends = WatchedStore<boolean> & { count(): void }

/** Whether somebody has sent a few messages from this browser. */
export function createSends(storage: KeyValueStorage): Sends {
  const stored = readStored(storage, KEY)
  let sent = typeof stored === 'number' ? stored : 0
  const store = createStore(false)
  store.set(sent >= KNOWN_AFTER)
  return {
    ...store,
    count() {
      if (sent >= KNOWN_AFTER) return
      sent += 1
      writeStored(storage, KEY, sent)
      store.set(sent >= KNOWN_AFTER)
    },
  }
}

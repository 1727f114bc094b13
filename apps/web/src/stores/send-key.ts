import type { SendKey } from '@palimpsest/ui'
import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

const KEY = 'palimpsest.send-key'

/** The key that sends a message, as it was chosen in this browser. */
export function createSendKey(storage: KeyValueStorage): Store<SendKey> {
  const store = createStore<SendKey>('enter')
  if (readStored(storage, KEY) === 'mod+enter') store.set('mod+enter')
  store.subscribe(() => writeStored(storage, KEY, store.get()))
  return store
}

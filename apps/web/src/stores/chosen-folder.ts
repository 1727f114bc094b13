import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

const KEY = 'palimpsest.folder'

/** The folder that new chats work in, as it was chosen in this browser; null for the server's first one. */
export function createChosenFolder(storage: KeyValueStorage): Store<string | null> {
  const store = createStore<string | null>(null)
  const stored = readStored(storage, KEY)
  if (typeof stored === 'string') store.set(stored)
  store.subscribe(() => writeStored(storage, KEY, store.get()))
  return store
}

/**
 * The folder of the next new chat among those that the server allows, the first of which is the default. A choice that is no
 * longer allowed counts for nothing; until the allowed ones are loaded it is used, and the server decides.
 */
export function folderOf(chosen: string | null, allowed: readonly string[] | null): string | null {
  if (allowed === null) return chosen
  return chosen !== null && allowed.includes(chosen) ? chosen : (allowed[0] ?? null)
}

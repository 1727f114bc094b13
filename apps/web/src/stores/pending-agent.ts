import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

/** The agent that was picked for a chat and has not been sent to yet; survives a reload. */
export function createPendingAgent(storage: KeyValueStorage, sessionId: string): Store<string | null> {
  const key = `palimpsest.agent.${sessionId}`
  const store = createStore<string | null>(null)
  const stored = readStored(storage, key)
  if (typeof stored === 'string') store.set(stored)
  store.subscribe(() => writeStored(storage, key, store.get()))
  return store
}

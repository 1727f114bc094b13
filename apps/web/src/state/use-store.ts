import { useSyncExternalStore } from 'react'
import type { Store } from './create-store.ts'

/** The store's value, kept current. On the server it is the value that the store began with. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

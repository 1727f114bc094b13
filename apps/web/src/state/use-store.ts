import { useSyncExternalStore } from 'react'
import type { WatchedStore } from './create-store.ts'

/** The store's value, kept current. While a page from the server comes alive it is the value that the store began with. */
export function useStore<T>(store: WatchedStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial)
}

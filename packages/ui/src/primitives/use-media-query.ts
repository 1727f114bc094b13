import { useCallback, useSyncExternalStore } from 'react'

/** Follows a media query. Reads `onServer` on a server, and in the first render of a page that came from there. */
export function useMediaQuery(query: string): boolean
export function useMediaQuery<T>(query: string, onServer: T): boolean | T
export function useMediaQuery(query: string, onServer: unknown = false): unknown {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => onServer,
  )
}

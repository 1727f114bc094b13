import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether shortcuts are held with ⌘ on this machine. */
export function useIsMac(): boolean {
  return useSyncExternalStore(never, isMac, () => false)
}

/** The same outside of a component, in a browser. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

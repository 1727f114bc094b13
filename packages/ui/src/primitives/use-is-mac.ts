import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether shortcuts are held with ⌘ on this machine. */
export function useIsMac(): boolean {
  return useSyncExternalStore(never, isMac, () => false)
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

import { useLayoutEffect } from 'react'
import { holdKeys } from './hold-keys.ts'

/** From the moment that a dialog is to open, keys are held until it has the focus, and are then typed into it. */
export function useHeldKeys(open: boolean): void {
  useLayoutEffect(() => (open ? holdKeys() : undefined), [open])
}

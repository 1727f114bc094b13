import { useLazy } from '../lazy/use-lazy.ts'
import { useHeldKeys } from '../primitives/use-held-keys.ts'
import type { DialogProps } from './dialog-layer.tsx'
import { popupLayers } from './popup-layers.ts'

/** A modal dialog: keys typed once it is to open are its own, focus is kept inside, Esc closes it, focus returns. */
export function Dialog(props: DialogProps) {
  useHeldKeys(props.open)
  const layers = useLazy(popupLayers, props.open)
  return layers && <layers.DialogLayer {...props} />
}

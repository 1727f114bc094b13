import { useLazy } from '../lazy/use-lazy.ts'
import type { DialogProps } from '../popups/dialog-layer.tsx'
import { popupLayers } from '../popups/popup-layers.ts'
import { useHeldKeys } from '../primitives/use-held-keys.ts'

/** A modal dialog: keys typed once it is to open are its own, focus is kept inside, Esc closes it, focus returns. */
export function Dialog(props: DialogProps) {
  useHeldKeys(props.open)
  const layers = useLazy(popupLayers, props.open)
  return layers && <layers.DialogLayer {...props} />
}

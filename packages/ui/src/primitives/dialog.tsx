import { useLazy } from '../lazy/use-lazy.ts'
import type { DialogProps } from '../popups/dialog-layer.tsx'
import { popupLayers } from '../popups/popup-layers.ts'

/** A modal dialog: focus is kept inside, Esc closes it, focus returns. */
export function Dialog(props: DialogProps) {
  const layers = useLazy(popupLayers, props.open)
  return layers && <layers.DialogLayer {...props} />
}

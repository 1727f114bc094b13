import { useLazy } from '../lazy/use-lazy.ts'
import { popupLayers } from '../popups/popup-layers.ts'
import type { DialogProps } from './dialog-props.ts'

/** A modal dialog: focus is kept inside, Esc closes it, focus returns. */
export function Dialog(props: DialogProps) {
  const layers = useLazy(popupLayers, props.open)
  return layers && <layers.DialogLayer {...props} />
}

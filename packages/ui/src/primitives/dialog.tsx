import { useLate } from '../late/use-late.ts'
import { popupLayers } from '../popups/popup-layers.ts'
import type { DialogProps } from './dialog-props.ts'
import { useHeldKeys } from './use-held-keys.ts'

/** A modal dialog: keys typed once it is to open are its own, focus is kept inside, Esc closes it, focus returns. */
export function Dialog(props: DialogProps) {
  useHeldKeys(props.open)
  const layers = useLate(popupLayers, props.open)
  return layers && <layers.DialogLayer {...props} />
}

import type { RefObject } from 'react'

/** What a control says of the popup behind it. */
export function triggerProps(
  kind: 'menu' | 'dialog',
  anchor: RefObject<HTMLElement | null>,
  open: boolean,
): Record<string, unknown> {
  return {
    ref: anchor,
    'aria-haspopup': kind,
    'aria-expanded': open,
    ...(open && { 'data-popup-open': '' }),
  }
}

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** What the list puts on its element to keep the focus. */
export type KeptFocus = {
  ref: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/** When the row with the focus is removed, as by archiving, focuses the row that takes its place. */
export function useKeptFocus(): KeptFocus {
  const ref = useRef<HTMLDivElement>(null)
  const place = useRef(-1)
  // After every change of the list: which rows went is only known by what is left.
  useLayoutEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const rows = [...(ref.current?.querySelectorAll<HTMLElement>('[data-session-row]') ?? [])]
    rows[Math.min(place.current, rows.length - 1)]?.focus()
  })
  return {
    ref,
    onFocus({ target }) {
      const items = [...(ref.current?.querySelectorAll('li') ?? [])]
      place.current = items.findIndex((item) => item.contains(target))
    },
    onBlur({ relatedTarget }) {
      if (relatedTarget !== null) place.current = -1
    },
  }
}

import { useCallback, useRef, useState } from 'react'

export type EditInPlace = {
  editing: boolean
  begin: () => void
  end: () => void
  /** Goes on the element whose place the editor takes. */
  opener: (element: HTMLElement | null) => void
}

/** An editor that stands in the place of what opened it; a focus that its end leaves homeless returns there. */
export function useEditInPlace(): EditInPlace {
  const [editing, setEditing] = useState(false)
  const returning = useRef(false)
  const begin = useCallback(() => setEditing(true), [])
  const end = useCallback(() => {
    returning.current = true
    setEditing(false)
  }, [])
  const opener = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    if (returning.current && document.activeElement === document.body) element.focus()
    returning.current = false
  }, [])
  return { editing, begin, end, opener }
}

import { useCallback, useRef, useState } from 'react'

export type EditInPlace = {
  editing: boolean
  begin: () => void
  end: () => void
  /** Ref of the element that the editor replaces. */
  opener: (element: HTMLElement | null) => void
}

/** State of an editor that replaces its opener. When it closes and the focus is lost, the opener is focused. */
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

import { type KeyboardEvent, useId, useState } from 'react'

export type ListNavigation = {
  active: number
  setActive: (index: number) => void
  listId: string
  optionId: (index: number) => string
  /** Moves on arrows and by pages, chooses on Enter. Returns whether the key was used. */
  handleKey: (event: ListKey) => boolean
}

/** A key press, of React or in its shape. */
export type ListKey = Pick<KeyboardEvent, 'key' | 'preventDefault'> & {
  nativeEvent: { isComposing: boolean }
}

/**
 * Keyboard of a list whose focus stays in a text field (`aria-activedescendant`).
 * The first option is active again whenever `resetKey` changes.
 */
export function useListNavigation(
  count: number,
  resetKey: string,
  onChoose: (index: number) => void,
): ListNavigation {
  const listId = useId()
  const [place, setPlace] = useState({ index: 0, resetKey })
  const active = place.resetKey === resetKey ? Math.min(place.index, Math.max(0, count - 1)) : 0
  const optionId = (index: number) => `${listId}-${index}`

  const setActive = (index: number) => {
    setPlace({ index, resetKey })
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }

  const handleKey = (event: ListKey) => {
    if (count === 0 || event.nativeEvent.isComposing) return false
    if (event.key === 'Enter') {
      onChoose(active)
      event.preventDefault()
      return true
    }
    const target = {
      ArrowDown: (active + 1) % count,
      ArrowUp: (active - 1 + count) % count,
      PageDown: Math.min(active + 8, count - 1),
      PageUp: Math.max(active - 8, 0),
    }[event.key]
    if (target === undefined) return false
    setActive(target)
    event.preventDefault()
    return true
  }
  return { active, setActive, listId, optionId, handleKey }
}

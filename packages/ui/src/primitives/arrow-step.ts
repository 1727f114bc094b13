import type { KeyboardEvent } from 'react'

/**
 * Where an arrow key leads: one step back or forth; null for other keys, with a modifier, which the browser uses to go
 * back and forth, and in a popup, whose keys reach React's handlers although it is elsewhere on the page.
 */
export function arrowStep(event: KeyboardEvent): 1 | -1 | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null
  if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return null
  if (event.key === 'ArrowLeft') return -1
  return event.key === 'ArrowRight' ? 1 : null
}

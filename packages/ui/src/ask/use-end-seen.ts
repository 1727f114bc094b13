import { type RefObject, useLayoutEffect, useState } from 'react'

/** Pixels that a browser may round away. */
const ROUNDED = 4

/** Whether the end of a box that scrolls has been in view; false while it is further down. */
export function useEndSeen(box: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (seen || element === null) return
    const look = () => {
      const { scrollTop, clientHeight, scrollHeight } = element
      if (scrollTop + clientHeight >= scrollHeight - ROUNDED) setSeen(true)
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, seen])
  return seen
}

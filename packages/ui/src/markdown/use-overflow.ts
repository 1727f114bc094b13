import { type RefObject, useEffect, useState } from 'react'

/** Pixels of rounding. */
const SLACK = 1

/**
 * Whether `scroller` is wider inside than it shows. While it is, its parent has `data-more-start` and `data-more-end`
 * where more can be scrolled to, which CSS shows as fades.
 */
export function useOverflow(scroller: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = scroller.current
    const frame = element?.parentElement
    if (!element || !frame || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const { scrollWidth, clientWidth } = element
      const start = Math.abs(element.scrollLeft)
      frame.toggleAttribute('data-more-start', start > SLACK)
      frame.toggleAttribute('data-more-end', scrollWidth - clientWidth - start > SLACK)
      setOverflows(scrollWidth - clientWidth > SLACK)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return overflows
}

import { type RefObject, useEffect, useRef } from 'react'
import { placeOf, type ThreadPlace } from './thread-place.ts'

/** Milliseconds of rest after which a reader has arrived somewhere. */
const REST_MS = 150

/** Reports the reading place when scrolling has stopped; null at the end, where the newest is followed. */
export function usePlace(
  scroller: RefObject<HTMLElement | null>,
  following: boolean,
  onPlace: ((place: ThreadPlace | null) => void) | undefined,
): void {
  const current = useRef({ following, onPlace })
  useEffect(() => {
    current.current = { following, onPlace }
  }, [following, onPlace])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => current.current.onPlace?.(current.current.following ? null : placeOf(element))
    const rest = () => {
      clearTimeout(timer)
      timer = setTimeout(tell, REST_MS)
    }
    element.addEventListener('scroll', rest, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', rest)
    }
  }, [scroller])
}

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Pixels from the end within which a reader reads the newest. */
const AT_END = 24

export type StickToEnd = {
  /** True while the newest is kept in view. */
  following: boolean
  /** Called on every scroll of the element. */
  handleScroll: () => void
  /** Follows again, from the end. */
  follow: () => void
  /** Stops following, as when the page opens somewhere else. */
  release: () => void
}

/**
 * Follows the end of a scrolling element while its reader is there. Any move up stops that at once, whatever caused it
 * (wheel, touch, key, scroll bar), because it is derived from the position alone; arriving at the end follows again. A view that
 * grew or shrank, as over a draft of several lines, has moved by itself. `content` is what grows inside, where nothing
 * else brings its end into view.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content?: RefObject<HTMLElement | null>,
): StickToEnd {
  const [following, setFollowing] = useState(true)
  const last = useRef({ top: 0, height: 0, view: 0 })

  const handleScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const { top, height, view } = last.current
    const movedUp = scrollTop < top - 1 && scrollHeight >= height && clientHeight === view
    const atEnd = scrollHeight - clientHeight - scrollTop <= AT_END
    last.current = { top: scrollTop, height: scrollHeight, view: clientHeight }
    if (movedUp && !isAtVeryEnd(element)) setFollowing(false)
    else if (atEnd) setFollowing(true)
  }, [scroller])

  const follow = useCallback(() => setFollowing(true), [])
  const release = useCallback(() => setFollowing(false), [])

  useEffect(() => {
    const element = scroller.current
    if (!element || !following) return
    const observer = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (content?.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [scroller, content, following])

  return { following, handleScroll, follow, release }
}

function isAtVeryEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): boolean {
  return scrollHeight - clientHeight - scrollTop <= 1
}

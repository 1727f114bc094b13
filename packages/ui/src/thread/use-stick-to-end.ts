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
 * grew or shrank, as over a draft of several lines, has moved by itself. `content` is what grows inside.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): StickToEnd {
  const [following, setFollowing] = useState(true)
  const last = useRef({ top: 0, height: 0, view: 0 })
  /** A move up that the next render takes into account; sizes may be observed before it. */
  const letGo = useRef(false)
  const edited = useEdited(scroller)

  const handleScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const { top, height, view } = last.current
    const movedUp = scrollTop < top - 1 && scrollHeight >= height && clientHeight === view
    const atEnd = scrollHeight - clientHeight - scrollTop <= AT_END
    last.current = { top: scrollTop, height: scrollHeight, view: clientHeight }
    if (movedUp && !isAtVeryEnd(element)) {
      letGo.current = !edited.current
      if (letGo.current) setFollowing(false)
      else if (following) element.scrollTop = element.scrollHeight
    } else if (atEnd) setFollowing(true)
  }, [scroller, edited, following])

  const follow = useCallback(() => setFollowing(true), [])
  const release = useCallback(() => setFollowing(false), [])

  useEffect(() => {
    const element = scroller.current
    if (!element || !following) return
    letGo.current = false
    const observer = new ResizeObserver(() => {
      if (!letGo.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [scroller, content, following])

  return { following, handleScroll, follow, release }
}

/**
 * True from an edit of a text to the next frame. A text that is replaced is empty for a moment: the view grows, its
 * content is pulled down to the new end, and both lie in one frame with the new text, so that only the pull is seen.
 */
function useEdited(scroller: RefObject<HTMLElement | null>): RefObject<boolean> {
  const edited = useRef(false)
  useEffect(() => {
    const page = scroller.current?.ownerDocument
    if (!page) return
    const handleInput = () => {
      edited.current = true
      requestAnimationFrame(() => {
        edited.current = false
      })
    }
    page.addEventListener('input', handleInput)
    return () => page.removeEventListener('input', handleInput)
  }, [scroller])
  return edited
}

function isAtVeryEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): boolean {
  return scrollHeight - clientHeight - scrollTop <= 1
}

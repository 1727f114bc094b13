import type { ChatMessage } from '@palimpsest/core/domain'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { standAt, type ThreadPlace } from './thread-place.ts'

type Scroll = {
  scrollToEnd: () => void
  scrollToIndex: (index: number, options: { align: 'start' }) => void
}

export type OpenAt = {
  scroller: RefObject<HTMLElement | null>
  messages: readonly ChatMessage[]
  place: ThreadPlace | undefined
}

/** Frames in which heights that were estimated may still turn out otherwise. */
const FRAMES = 20
/** Frames in a row in which nothing has moved any more. */
const STEADY = 3

/** Opens at the place when there is one, else at the end; returns whether the thread is there. */
export function useOpenAt(
  { scroller, messages, place }: OpenAt,
  scroll: Scroll,
  release: () => void,
): boolean {
  const opened = useRef(false)
  const [settled, setSettled] = useState(false)
  useLayoutEffect(() => {
    if (opened.current || messages.length === 0) return
    opened.current = true
    const index = messages.findIndex(({ id }) => id === place?.messageId)
    if (place === undefined || index < 0) {
      scroll.scrollToEnd()
      return setSettled(true)
    }
    release()
    scroll.scrollToIndex(index, { align: 'start' })
    settleAt(scroller, place, () => setSettled(true))
  }, [scroller, messages, place, scroll, release])
  return settled
}

/** Corrects the position until the rows above have found their heights, or the reader moves. */
function settleAt(scroller: RefObject<HTMLElement | null>, place: ThreadPlace, onSettled: () => void): void {
  const moved = new AbortController()
  const options = { once: true, signal: moved.signal, passive: true }
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    scroller.current?.addEventListener(event, () => moved.abort(), options)
  }
  let steady = 0
  const correct = (frame: number) => {
    const element = scroller.current
    if (element === null) return
    if (moved.signal.aborted) return onSettled()
    steady = standAt(element, place) ? steady + 1 : 0
    if (frame < FRAMES && steady < STEADY) return requestAnimationFrame(() => correct(frame + 1))
    moved.abort()
    return onSettled()
  }
  requestAnimationFrame(() => correct(0))
}

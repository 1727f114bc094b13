import type { ChatMessage } from '@palimpsest/core/domain'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { standAt, type ThreadPlace } from './thread-place.ts'

type Scroll = {
  scrollToEnd: () => void
  scrollToIndex: (index: number, options: { align: 'start' }) => void
}

export type OpenAt = {
  scroller: RefObject<HTMLElement | null>
  messages: readonly ChatMessage[]
  anchorId: string | undefined
  place: ThreadPlace | undefined
}

/** Frames in which heights that were estimated may still turn out otherwise. */
const FRAMES = 20
/** Frames in a row in which nothing has moved any more. */
const STEADY = 3

/** Opens at the anchor when there is one, else where the reader was, else at the end. */
export function useOpenAt(
  { scroller, messages, anchorId, place }: OpenAt,
  scroll: Scroll,
  release: () => void,
): void {
  const opened = useRef(false)
  useLayoutEffect(() => {
    if (opened.current || messages.length === 0) return
    opened.current = true
    const target = anchorId ?? place?.messageId
    const index = messages.findIndex(({ id }) => id === target)
    if (index < 0) return scroll.scrollToEnd()
    release()
    scroll.scrollToIndex(index, { align: 'start' })
    if (anchorId === undefined && place !== undefined) settleAt(scroller, place)
  }, [scroller, messages, anchorId, place, scroll, release])
}

/** Corrects the position until the rows above have found their heights, or the reader moves. */
function settleAt(scroller: RefObject<HTMLElement | null>, place: ThreadPlace): void {
  const moved = new AbortController()
  const options = { once: true, signal: moved.signal, passive: true }
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    scroller.current?.addEventListener(event, () => moved.abort(), options)
  }
  let steady = 0
  const correct = (frame: number) => {
    const element = scroller.current
    if (element === null || moved.signal.aborted) return
    steady = standAt(element, place) ? steady + 1 : 0
    if (frame < FRAMES && steady < STEADY) requestAnimationFrame(() => correct(frame + 1))
    else moved.abort()
  }
  requestAnimationFrame(() => correct(0))
}

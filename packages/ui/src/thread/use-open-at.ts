import type { ChatMessage } from '@palimpsest/core/domain'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { rowOf, standAt, type ThreadPlace } from './thread-place.ts'

type Scroll = {
  scrollToEnd: () => void
  scrollToIndex: (index: number, options: { align: 'start' }) => void
}

/** A message to scroll to, mark and focus, once for each `request`. */
export type ThreadAim = { messageId: string; request: unknown }

export type OpenAt = {
  scroller: RefObject<HTMLElement | null>
  messages: readonly ChatMessage[]
  /** Where the thread opens, unless there is an aim. */
  place: ThreadPlace | undefined
  aim: ThreadAim | undefined
}

/** Frames in which heights that were estimated may still turn out otherwise. */
const FRAMES = 20
/** Frames in a row in which nothing has moved any more. */
const STEADY = 3

/** Opens at the aim, the place or the end, and goes to each later aim; returns whether the thread has opened. */
export function useOpenAt(
  { scroller, messages, place, aim }: OpenAt,
  scroll: Scroll,
  release: () => void,
): boolean {
  const opened = useRef(false)
  const followed = useRef<unknown>(undefined)
  const cancel = useRef<(() => void) | undefined>(undefined)
  const [settled, setSettled] = useState(false)
  useLayoutEffect(() => {
    if (messages.length === 0) return
    const isNew = aim !== undefined && aim.request !== followed.current
    if (opened.current && !isNew) return
    const target = isNew ? { messageId: aim.messageId, offset: 0 } : place
    const index = messages.findIndex(({ id }) => id === target?.messageId)
    if (target === undefined || index < 0) {
      if (!opened.current) scroll.scrollToEnd()
      opened.current = true
      return setSettled(true)
    }
    opened.current = true
    followed.current = aim?.request
    release()
    scroll.scrollToIndex(index, { align: 'start' })
    cancel.current?.()
    cancel.current = settleAt(scroller, target, (moved) => {
      setSettled(true)
      if (isNew && !moved) focusRow(scroller, target.messageId)
    })
  }, [scroller, messages, place, aim, scroll, release])
  return settled
}

/** Focuses a message, unless the focus is where it stays while one goes from message to message. */
function focusRow({ current }: RefObject<HTMLElement | null>, messageId: string): void {
  if (document.activeElement?.closest('[data-keeps-focus]')) return
  if (current !== null) rowOf(current, messageId)?.focus({ preventScroll: true })
}

/** Corrects the position until the rows above have found their heights, or the reader moves. Returns how to cancel it. */
function settleAt(
  scroller: RefObject<HTMLElement | null>,
  place: ThreadPlace,
  onSettled: (moved: boolean) => void,
): () => void {
  const moved = new AbortController()
  const options = { once: true, signal: moved.signal, passive: true }
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    scroller.current?.addEventListener(event, () => moved.abort(), options)
  }
  let steady = 0
  const correct = (frame: number) => {
    const element = scroller.current
    if (element === null) return
    if (moved.signal.aborted) return onSettled(true)
    steady = standAt(element, place) ? steady + 1 : 0
    if (frame < FRAMES && steady < STEADY) return requestAnimationFrame(() => correct(frame + 1))
    moved.abort()
    return onSettled(false)
  }
  requestAnimationFrame(() => correct(0))
  return () => moved.abort()
}

import type { ChatMessage } from '@palimpsest/core/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { estimateHeight } from './estimate-height.ts'
import type { ThreadPlace } from './thread-place.ts'
import { type ThreadAim, useOpenAt } from './use-open-at.ts'
import { usePlace } from './use-place.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

export type ThreadScroll = {
  /** Oldest first. */
  messages: readonly ChatMessage[]
  /** The newest message that counts. */
  newest: ChatMessage | undefined
  hasOlder?: boolean
  loadingOlder?: boolean
  onLoadOlder?: () => void
  /** Opens at this message instead of the end, and goes to it again when it is requested again. */
  aim?: ThreadAim
  /** Opens where the reader was before, unless there is an aim. */
  place?: ThreadPlace
  /** Called with the reading place when scrolling stops; null at the end. */
  onPlace?: (place: ThreadPlace | null) => void
}

/** Pixels over the first and under the last message. */
const PADDING = 24
/** Pixels of a row's first line. */
const TOP_LINE = 32
/** Rows from the top at which older messages are asked for. */
const OLDER_AT = 3

/** Scrolling of a thread: which rows are near the window, whether the end is followed, when older pages are loaded. */
export function useThreadScroll(thread: ThreadScroll) {
  const { messages, newest, place, aim, hasOlder = false, loadingOlder = false, onLoadOlder } = thread
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const stick = useStickToEnd(scroller, content)
  const [topmost, setTopmost] = useState<number | null>(null)
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => messages[index]?.id ?? index,
    estimateSize: (index) => estimateHeight(messages[index]),
    overscan: 4,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    anchorTo: 'end',
    followOnAppend: stick.following,
    scrollEndThreshold: stick.following ? 80 : -1,
  })

  const settled = useOpenAt({ scroller, messages, place, aim }, virtualizer, stick.release)
  usePlace(scroller, stick.following, thread.onPlace)

  const seen = useRef(newest?.id)
  useEffect(() => {
    if (newest?.role === 'user' && newest.id !== seen.current) stick.follow()
    seen.current = newest?.id
  }, [newest?.id, newest?.role, stick.follow])

  const rows = virtualizer.getVirtualItems()
  // When every loaded message is hidden, visible ones are on older pages.
  const nearTop = messages.length === 0 || (settled && rows[0] !== undefined && rows[0].index < OLDER_AT)
  useEffect(() => {
    if (nearTop && hasOlder && !loadingOlder) onLoadOlder?.()
  }, [nearTop, hasOlder, loadingOlder, onLoadOlder])

  return {
    scroller,
    content,
    following: stick.following,
    handleScroll() {
      stick.handleScroll()
      const scrolled = scroller.current?.scrollTop ?? 0
      const top = virtualizer.getVirtualItems().find(({ end }) => end > scrolled)
      // What the row begins with is still in view.
      setTopmost(top === undefined || scrolled < top.start + TOP_LINE ? null : top.index)
    },
    /** A text that is edited in the thread stays in view while it, or what is said about it, grows. */
    handleFocus({ target }: FocusEvent) {
      if (target instanceof HTMLTextAreaElement) stick.release()
    },
    /** The message at the upper edge, once its beginning is out of view. */
    topmost: topmost === null ? null : (messages[topmost] ?? null),
    rows,
    /** Pixels of all rows, drawn or not. */
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    jumpToEnd() {
      stick.follow()
      virtualizer.scrollToEnd({ behavior: 'auto' })
      scroller.current?.focus({ preventScroll: true })
    },
  }
}

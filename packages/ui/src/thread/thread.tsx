import type { ChatMessage, ModelInfo, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { MessageActions } from '../message/message-actions.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { estimateHeight } from './estimate-height.ts'
import { JumpToLatest } from './jump-to-latest.tsx'
import type { MessageExtras } from './message-extras.ts'
import { ThreadAnnouncer } from './thread-announcer.tsx'
import type { ThreadPlace } from './thread-place.ts'
import { ThreadRow } from './thread-row.tsx'
import { ThreadTail } from './thread-tail.tsx'
import { useNewCount } from './use-new-count.ts'
import { useOpenAt } from './use-open-at.ts'
import { usePlace } from './use-place.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

export type ThreadProps = {
  /** Oldest first. Mount a new thread (by `key`) for another session. */
  messages: readonly ChatMessage[]
  status: SessionStatus
  /** True while the newest message could not be sent: what can be done about that is told elsewhere. */
  unsent?: boolean
  /** The message that is being written, or null. */
  streamingId: string | null
  models: readonly ModelInfo[]
  actions: MessageActions
  extras?: MessageExtras
  hasOlder?: boolean
  loadingOlder?: boolean
  onLoadOlder?: () => void
  /** Opens at this message instead of the end, and points it out. */
  anchorId?: string
  /** Opens where the reader was before, unless there is an anchor. */
  place?: ThreadPlace
  /** Told where the reader comes to rest; null at the end. */
  onPlace?: (place: ThreadPlace | null) => void
  /** After the newest message. */
  end?: ReactNode
}

/** Pixels over the first and under the last message. */
const PADDING = 24
/** Rows from the top at which older messages are asked for. */
const OLDER_AT = 3

/** The conversation: only what is near the window is drawn, the end is followed, older pages join above. */
export function Thread(props: ThreadProps) {
  const { messages, status, streamingId, hasOlder = false, loadingOlder = false, onLoadOlder } = props
  const words = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  const stick = useStickToEnd(scroller)
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

  const { anchorId } = props
  const place = useMemo(
    () => (anchorId === undefined ? props.place : { messageId: anchorId, offset: 0 }),
    [anchorId, props.place],
  )
  const settled = useOpenAt({ scroller, messages, place }, virtualizer, stick.release)
  usePlace(scroller, stick.following, props.onPlace)
  // Hidden messages that are looked at may stand behind the newest that counts.
  const newest = messages.findLastIndex(({ metadata }) => metadata?.hiddenBy === undefined)
  const lastId = messages[newest]?.id
  const lastRole = messages[newest]?.role
  const seen = useRef(lastId)
  useEffect(() => {
    if (lastRole === 'user' && lastId !== seen.current) stick.follow()
    seen.current = lastId
  }, [lastId, lastRole, stick.follow])

  const items = virtualizer.getVirtualItems()
  const first = items[0]
  // Where all that is loaded is hidden, what is shown stands further up.
  const nearTop = messages.length === 0 || (settled && first !== undefined && first.index < OLDER_AT)
  useEffect(() => {
    if (nearTop && hasOlder && !loadingOlder) onLoadOlder?.()
  }, [nearTop, hasOlder, loadingOlder, onLoadOlder])

  const newCount = useNewCount(messages, stick.following)
  const running = isRunning(status)
  return (
    <div className="relative min-h-0 grow">
      <div
        ref={scroller}
        role="log"
        aria-label={words.thread.label}
        aria-live="off"
        aria-busy={running}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        onScroll={stick.handleScroll}
        className="thread-scroller"
      >
        {loadingOlder && <LoadingOlder />}
        <div style={{ height: virtualizer.getTotalSize() }} className="relative">
          <div
            style={{ transform: `translateY(${first?.start ?? 0}px)` }}
            className="absolute inset-x-0 top-0"
          >
            {items.map(({ index, key }) => {
              const message = messages[index]
              if (!message) return null
              const last = index === newest
              return (
                <div key={key} ref={virtualizer.measureElement} data-index={index} id={message.id}>
                  <ThreadRow
                    message={message}
                    streaming={message.id === streamingId}
                    last={last}
                    anchored={message.id === anchorId}
                    models={props.models}
                    actions={props.actions}
                    extras={props.extras}
                  />
                  {last && props.unsent !== true && (
                    <ThreadTail
                      message={message}
                      status={status}
                      streamingId={streamingId}
                      actions={props.actions}
                    />
                  )}
                </div>
              )
            })}
          </div>
        </div>
        {props.end}
      </div>
      <div aria-hidden className="thread-fade thread-fade-top" />
      <div aria-hidden className="thread-fade" />
      {!stick.following && (
        <JumpToLatest
          count={newCount}
          onJump={() => {
            stick.follow()
            virtualizer.scrollToEnd({ behavior: 'auto' })
            scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
      <ThreadAnnouncer streaming={messages.find((message) => message.id === streamingId) ?? null} />
    </div>
  )
}

function LoadingOlder() {
  const { thread } = useMessages()
  return (
    <p className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center">
      <span className="popup flex items-center gap-2 px-3 py-1.5 text-xs text-muted">
        <Spinner size={13} />
        {thread.loadingOlder}
      </span>
    </p>
  )
}

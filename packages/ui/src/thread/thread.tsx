import type { ChatMessage, ModelInfo, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { MessageActions } from '../message/message-actions.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { estimateHeight } from './estimate-height.ts'
import { JumpToLatest } from './jump-to-latest.tsx'
import type { MessageExtras } from './message-extras.ts'
import { ThreadAnnouncer } from './thread-announcer.tsx'
import { ThreadRow } from './thread-row.tsx'
import { ThreadTail } from './thread-tail.tsx'
import { useNewCount } from './use-new-count.ts'
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
  /** Opens at this message instead of the end. */
  anchorId?: string
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

  useOpenAt(props, virtualizer, stick.release)
  const lastId = messages.at(-1)?.id
  const lastRole = messages.at(-1)?.role
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new message of the reader's own leads to the end
  useEffect(() => {
    if (lastRole === 'user') stick.follow()
  }, [lastId])

  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const nearTop = first !== undefined && first.index < OLDER_AT
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
              const last = index === messages.length - 1
              return (
                <div key={key} ref={virtualizer.measureElement} data-index={index} id={message.id}>
                  <ThreadRow
                    message={message}
                    streaming={message.id === streamingId}
                    last={last}
                    anchored={message.id === props.anchorId}
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
      </div>
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

type Scroll = {
  scrollToEnd: () => void
  scrollToIndex: (index: number, options: { align: 'start' }) => void
}

/** Opens at the anchor when there is one, else at the end. */
function useOpenAt({ messages, anchorId }: ThreadProps, scroll: Scroll, release: () => void): void {
  const opened = useRef(false)
  useLayoutEffect(() => {
    if (opened.current || messages.length === 0) return
    opened.current = true
    const index = messages.findIndex((message) => message.id === anchorId)
    if (index < 0) return scroll.scrollToEnd()
    release()
    scroll.scrollToIndex(index, { align: 'start' })
  }, [messages, anchorId, scroll, release])
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

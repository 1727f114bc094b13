import type { ChatMessage, ModelInfo, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import type { MessageActions } from '../message/message-actions.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { JumpToLatest } from './jump-to-latest.tsx'
import type { MessageExtras } from './message-extras.ts'
import { OutcomeAnnouncer } from './outcome-announcer.tsx'
import { ThreadAnnouncer } from './thread-announcer.tsx'
import { ThreadRow } from './thread-row.tsx'
import { ThreadTail } from './thread-tail.tsx'
import { useNewCount } from './use-new-count.ts'
import { type ThreadScroll, useThreadScroll } from './use-thread-scroll.ts'

/** Mount a new thread (by `key`) for another session. */
export type ThreadProps = Omit<ThreadScroll, 'newest'> & {
  status: SessionStatus
  /** True while the newest message could not be sent; its notice is shown elsewhere. */
  unsent?: boolean
  /** The message that is being written, or null. */
  streamingId: string | null
  models: readonly ModelInfo[]
  actions: MessageActions
  extras?: MessageExtras
  /** After the newest message. */
  end?: ReactNode
  handle?: Ref<ThreadHandle>
}

export type ThreadHandle = {
  /** Goes to the end and follows it. */
  toEnd(): void
}

/** The conversation: only what is near the window is drawn, the end is followed, older pages join above. */
export function Thread(props: ThreadProps) {
  const { messages, status, streamingId, loadingOlder = false } = props
  const words = useMessages()
  // Hidden messages that are shown may follow the newest visible one.
  const newest = messages.findLast(({ metadata }) => metadata?.hiddenBy === undefined)
  const scroll = useThreadScroll({ ...props, newest })
  const newCount = useNewCount(messages, scroll.following)
  const again = useAlternation(props.aim)
  useImperativeHandle(props.handle, () => ({ toEnd: scroll.jumpToEnd }))
  return (
    <div className="relative min-h-0 grow">
      <div
        ref={scroll.scroller}
        role="log"
        aria-label={words.thread.label}
        aria-live="off"
        aria-busy={isRunning(status) && status.state !== 'waiting'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        onScroll={scroll.handleScroll}
        onFocus={scroll.handleFocus}
        className="thread-scroller"
      >
        {loadingOlder && <LoadingOlder />}
        <div ref={scroll.content} style={{ height: scroll.height }} className="relative">
          <div
            style={{ transform: `translateY(${scroll.rows[0]?.start ?? 0}px)` }}
            className="absolute inset-x-0 top-0"
          >
            {scroll.rows.map(({ index, key }) => {
              const message = messages[index]
              if (!message) return null
              return (
                <div
                  key={key}
                  ref={scroll.measure}
                  data-index={index}
                  id={message.id}
                  {...(message.id === props.aim?.messageId && { tabIndex: -1 })}
                >
                  <Row {...props} again={again} message={message} last={message.id === newest?.id} />
                </div>
              )
            })}
          </div>
        </div>
        {props.end}
      </div>
      <div aria-hidden className="thread-fade thread-fade-top" />
      {scroll.topmost !== null && props.extras?.over?.(scroll.topmost)}
      <div aria-hidden className="thread-fade" />
      {!scroll.following && <JumpToLatest count={newCount} onJump={scroll.jumpToEnd} />}
      <OutcomeAnnouncer message={newest} status={status} />
      <ThreadAnnouncer streaming={messages.find(({ id }) => id === streamingId) ?? null} />
    </div>
  )
}

/** A message, and under the last one its tail. */
function Row({
  message,
  last,
  ...props
}: ThreadProps & { message: ChatMessage; last: boolean; again: boolean }) {
  const { status, streamingId, models, actions } = props
  return (
    <>
      <ThreadRow
        message={message}
        streaming={message.id === streamingId}
        last={last}
        anchored={message.id === props.aim?.messageId}
        again={props.again}
        models={models}
        actions={actions}
        extras={props.extras}
      />
      {last && props.unsent !== true && (
        <div className="mx-auto max-w-column px-4 md:px-0">
          <ThreadTail message={message} status={status} streamingId={streamingId} actions={actions} />
        </div>
      )}
    </>
  )
}

/** Another value for each new aim: one that points at the same message starts its mark again. */
function useAlternation(aim: ThreadProps['aim']): boolean {
  const [last, setLast] = useState({ aim, again: false })
  if (aim !== undefined && last.aim !== aim) setLast({ aim, again: !last.again })
  return last.again
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

import type { ChatMessage } from '@palimpsest/core/domain'
import { partsText } from '../message/message-text.ts'
import { useMessages } from '../messages/messages-context.tsx'

/** The shape of a conversation until it is here. */
export function ThreadSkeleton() {
  const { thread } = useMessages()
  return (
    <div role="status" aria-label={thread.loading} className="min-h-0 grow overflow-hidden px-4">
      <div className="mx-auto max-w-column pt-6">
        {[0, 1].map((turn) => (
          <div key={turn}>
            <div className="skeleton mb-8 ml-auto h-11 w-2/5 rounded-2xl" />
            <div className="space-y-3.5 pb-10">
              <div className="skeleton h-4 w-11/12" />
              <div className="skeleton h-4 w-full" />
              <div className="skeleton h-4 w-4/5" />
              <div className="skeleton h-4 w-3/5" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}

/** The words of messages that were just sent, where the thread will have them, until the code of the thread has loaded. */
export function SentWords({ messages }: { messages: readonly ChatMessage[] }) {
  const { message } = useMessages()
  return (
    <div className="thread-gutter min-h-0 grow">
      {messages.map(({ id, parts }) => (
        <article key={id} className="mx-auto flex max-w-column flex-col items-end px-4 pt-4 md:px-0">
          <h2 className="sr-only">{message.you}</h2>
          <p
            dir="auto"
            className="max-w-[85%] rounded-2xl rounded-br-md bg-inset px-4 py-2 text-question leading-snug whitespace-pre-wrap wrap-anywhere"
          >
            {partsText(parts)}
          </p>
          <div aria-hidden className="h-control-small" />
        </article>
      ))}
      <p className="mx-auto max-w-column px-4 py-2 text-sm md:px-0">
        <span className="shine">{message.thinking}</span>
      </p>
    </div>
  )
}

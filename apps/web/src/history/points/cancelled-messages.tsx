import type { ChatMessage } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { historyWords } from '../../words/en-history.ts'
import { lineOf } from '../actions/prompts.ts'

export type CancelledMessagesProps = {
  messages: readonly ChatMessage[]
  onRestore: (messageId: string) => void
  /** Null when all are shown. */
  onMore: (() => void) | null
}

/** Messages that were removed from the queue, each with the way back into it. */
export function CancelledMessages({ messages, onRestore, onMore }: CancelledMessagesProps) {
  const words = historyWords.cancelled
  if (messages.length === 0) return null
  return (
    <section aria-label={words.heading} className="border-line p-4 not-first:border-t">
      <h3 className="pb-2 font-medium">{words.heading}</h3>
      <ul>
        {messages.map((message) => (
          <li key={message.id} className="flex items-center gap-2">
            <span className="min-w-0 grow truncate text-sm text-muted">{lineOf(message)}</span>
            <Button small variant="quiet" className="text-rubric" onClick={() => onRestore(message.id)}>
              {words.restore}
            </Button>
          </li>
        ))}
      </ul>
      {onMore !== null && (
        <Button small variant="quiet" onClick={onMore}>
          {words.more}
        </Button>
      )}
    </section>
  )
}

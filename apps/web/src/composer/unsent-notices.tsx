import { type ChatMessage, firstWords } from '@palimpsest/core/domain'
import { Button, messageText, NoticeLine } from '@palimpsest/ui'
import type { Outgoing } from '../session/outgoing.ts'
import { words } from '../words/en.ts'
import { PendingFiles } from './pending-files.tsx'

export type UnsentNoticesProps = {
  sessionId: string
  outgoing: readonly Outgoing[]
  /** The name of the chat, where there are several. */
  to?: string
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
}

/** Messages that could not be sent, each with the reason and the ways on; with its content where the thread does not show it. */
export function UnsentNotices({ sessionId, outgoing, to, onRetry, onDiscard }: UnsentNoticesProps) {
  const several = outgoing.filter(({ state }) => state.type === 'failed').length > 1
  return outgoing.map(({ message, queued, state }) => {
    if (state.type !== 'failed') return null
    const { id } = message
    return (
      <div key={id} className="px-3 md:px-0">
        {queued && (
          <p className="max-h-40 overflow-y-auto whitespace-pre-wrap px-1 pb-1.5 wrap-anywhere">
            {contentOf(message)}
          </p>
        )}
        <NoticeLine
          tone="error"
          text={several && !queued ? words.notSentOf(firstWords(message.parts)) : words.notSent(to)}
          detail={state.retryable ? words.sentLater(state.failure) : state.failure}
          action={
            <span className="flex gap-1.5">
              <Button small variant="quiet" onClick={() => onDiscard(id)}>
                {words.discard}
              </Button>
              {!state.filesPending && (
                <Button small onClick={() => onRetry(id)}>
                  {words.retry}
                </Button>
              )}
            </span>
          }
          more={state.filesPending && <PendingFiles sessionId={sessionId} onSettled={() => onRetry(id)} />}
        />
      </div>
    )
  })
}

/** The text of a message, or the names of its files when it has none. */
function contentOf(message: ChatMessage): string {
  const names = message.parts.flatMap((part) =>
    part.type === 'file' ? [part.filename ?? part.mediaType] : [],
  )
  return messageText(message) || names.join(', ')
}

import { Button, NoticeLine } from '@palimpsest/ui'
import type { Outgoing } from '../session/outgoing.ts'
import { words } from '../words/en.ts'

export type UnsentNoticesProps = {
  outgoing: readonly Outgoing[]
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
}

/** Messages that could not be sent, each with the ways on. */
export function UnsentNotices({ outgoing, onRetry, onDiscard }: UnsentNoticesProps) {
  return outgoing.map(({ message: { id }, state }) =>
    state.type === 'failed' ? (
      <div key={id} className="px-3 md:px-0">
        <NoticeLine
          tone="error"
          text={words.notSent}
          detail={state.retryable ? words.sentLater(state.failure) : state.failure}
          action={
            <span className="flex gap-1.5">
              <Button small variant="quiet" onClick={() => onDiscard(id)}>
                {words.discard}
              </Button>
              <Button small onClick={() => onRetry(id)}>
                {words.retry}
              </Button>
            </span>
          }
        />
      </div>
    ) : null,
  )
}

import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import { RotateCw } from 'lucide-react'
import type { MessageActions } from '../message/message-actions.ts'
import { NoticeLine } from '../message/message-notice.tsx'
import { RetryNotice } from '../message/retry-notice.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

export type ThreadTailProps = {
  /** The newest message. */
  message: ChatMessage
  status: SessionStatus
  streamingId: string | null
  actions: MessageActions
}

/** Under the newest message until a reply is there: thinking, retrying, failed, or unanswered. */
export function ThreadTail({ message, status, streamingId, actions }: ThreadTailProps) {
  return (
    <>
      {status.state === 'retrying' && <RetryNotice status={status} onStop={actions.onStop} />}
      {status.state === 'busy' && streamingId === null && message.role === 'user' && <Thinking />}
      {!isRunning(status) && message.role === 'user' && (
        <Unanswered messageId={message.id} status={status} onResend={actions.onResend} />
      )}
    </>
  )
}

function Thinking() {
  const { message } = useMessages()
  return (
    <p className="py-2 text-sm">
      <span className="shine">{message.thinking}</span>
    </p>
  )
}

type UnansweredProps = {
  messageId: string
  status: SessionStatus
  onResend: MessageActions['onResend']
}

function Unanswered({ messageId, status, onResend }: UnansweredProps) {
  const { notice } = useMessages()
  const failed = status.state === 'error'
  return (
    <NoticeLine
      tone={failed ? 'error' : 'neutral'}
      icon={failed ? undefined : <RotateCw aria-hidden size={16} />}
      text={failed ? notice.failed : notice.unanswered}
      detail={failed ? status.message : undefined}
      action={
        onResend && (
          <Button small onClick={() => onResend(messageId)}>
            {failed ? notice.retry : notice.getReply}
          </Button>
        )
      }
    />
  )
}

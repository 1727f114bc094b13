import type { SessionStatus } from '@palimpsest/core/domain'
import { Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { NoticeLine } from './message-notice.tsx'

export type RetryNoticeProps = {
  status: Extract<SessionStatus, { state: 'retrying' }>
  onStop?: (() => void) | undefined
}

/** Counts down to the next attempt of a run whose provider refused it for now. */
export function RetryNotice({ status, onStop }: RetryNoticeProps) {
  const { notice } = useMessages()
  const seconds = useSecondsUntil(status.retryAt)
  return (
    <NoticeLine
      tone="neutral"
      icon={<Hourglass aria-hidden size={16} className="text-caution" />}
      text={`${notice.retryingIn(seconds)}.`}
      detail={`${notice.retrying(status.attempt)} ${status.message}`}
      action={
        onStop && (
          <Button small onClick={onStop}>
            {notice.stop}
          </Button>
        )
      }
    />
  )
}

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((at - now) / 1_000))
}

import { CloudOff } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { Spinner } from '../primitives/spinner.tsx'

export type ConnectionState = 'online' | 'offline' | 'reconnecting'

export type ConnectionBannerProps = {
  state: ConnectionState
  onRetry?: () => void
}

/** Says that the server can't be reached; takes no space otherwise. */
export function ConnectionBanner({ state, onRetry }: ConnectionBannerProps) {
  const { connection } = useMessages()
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-x-0 top-header z-20 flex justify-center px-4"
    >
      {state !== 'online' && (
        <div className="enter popup pointer-events-auto flex items-center gap-2.5 px-3.5 py-2 text-sm text-muted">
          {state === 'offline' ? (
            <CloudOff aria-hidden size={15} className="text-caution" />
          ) : (
            <Spinner size={15} />
          )}
          {connection[state]}
          {state === 'reconnecting' && onRetry && (
            <Button small variant="quiet" onClick={onRetry}>
              {connection.retryNow}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

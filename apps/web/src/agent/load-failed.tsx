import { Button } from '@palimpsest/ui'
import { describeFailure } from '../state/describe-failure.ts'
import { agentWords as words } from '../words/en-agent.ts'

export type LoadFailedProps = { error: unknown; onRetry?: () => void }

/** Takes the place of what could not be read. */
export function LoadFailed({ error, onRetry }: LoadFailedProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-danger">{describeFailure(error).message}</p>
      {onRetry && (
        <Button small onClick={onRetry}>
          {words.again}
        </Button>
      )}
    </div>
  )
}

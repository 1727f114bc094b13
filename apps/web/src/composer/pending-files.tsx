import { Button, ExactPath } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { changesWords as words } from '../words/en-changes.ts'

export type PendingFilesProps = {
  sessionId: string
  /** Called once nothing is pending any more. */
  onSettled: () => void
}

/** Files that are named; of more the number is. */
const MAX_NAMED = 5

/** The files that an operation has not restored, and the two ways on. */
export function PendingFiles({ sessionId, onSettled }: PendingFilesProps) {
  const { client, toasts } = useApp()
  const [settling, setSettling] = useState(false)
  const { data, refetch } = useQuery({
    queryKey: ['changes', { sessionId }],
    queryFn: () => client().changes.list.query({ sessionId }),
  })
  const paths = data?.pending?.paths ?? []

  async function settle(leave: boolean): Promise<void> {
    setSettling(true)
    await toasts.guard(
      client()
        .changes.settle.mutate({ sessionId, ...(leave && { leave }) })
        .then(async ({ pending }) => {
          if (pending === null) onSettled()
          else await refetch()
        }),
    )
    setSettling(false)
  }

  return (
    <div className="basis-full space-y-2 text-sm">
      {paths.length > 0 && (
        <p className="text-muted">
          {words.pending(paths.length)}{' '}
          <span className="exact font-code text-xs wrap-anywhere">
            {paths.slice(0, MAX_NAMED).map((path, at) => (
              <span key={path}>
                {at > 0 && ', '}
                <ExactPath path={path} />
              </span>
            ))}
          </span>
          {paths.length > MAX_NAMED && ` ${words.more(paths.length - MAX_NAMED)}`}
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        <Button small disabled={settling} onClick={() => void settle(false)}>
          {words.retry}
        </Button>
        <Button small variant="quiet" disabled={settling} onClick={() => void settle(true)}>
          {words.leave}
        </Button>
      </p>
    </div>
  )
}

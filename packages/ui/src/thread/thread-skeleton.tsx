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

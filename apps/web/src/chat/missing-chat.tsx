import { Button, NotFound, ThreadSkeleton } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { followLink } from '../thread/follow-link.ts'
import { historyWords as words } from '../words/en-history.ts'

export type MissingChatProps = { sessionId: string }

/** The page of a chat that the server does not open: one in the bin can be restored, and a message elsewhere is opened there. */
export function MissingChat({ sessionId }: MissingChatProps) {
  const app = useApp()
  const { client, toasts } = app
  const { anchor } = useStore(app.router)
  const { data, isPending } = useQuery({
    queryKey: ['located', sessionId, anchor],
    queryFn: () =>
      client().session.locate.query({ sessionId, ...(anchor !== null && { messageId: anchor }) }),
  })
  const elsewhere = data?.found === 'message' && data.session.id !== sessionId
  useEffect(() => {
    if (elsewhere && anchor !== null) void followLink(app, { sessionId, messageId: anchor })
  }, [elsewhere, anchor, app, sessionId])

  if (isPending) return <ThreadSkeleton />
  const session = data?.session
  if (elsewhere || session === undefined || session.deletedAt === null) return <NotFound homeHref="/" />
  const restore = () => void toasts.guard(client().session.restore.mutate({ sessionId }))
  return (
    <div className="flex grow flex-col items-center justify-center gap-3 p-6 text-center">
      <h1 className="font-text text-title font-medium">{words.inBin.title}</h1>
      <p className="max-w-column text-muted wrap-anywhere">{words.inBin.body(session.title)}</p>
      <Button className="mt-2" onClick={restore}>
        {words.restoreChat}
      </Button>
    </div>
  )
}

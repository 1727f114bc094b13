import type { FileFate } from '@palimpsest/core/domain'
import type { RewindEffect } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import type { SessionStore } from '../../session/session-store.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'

/** What becomes of each file is named too. */
type Effect = RewindEffect & { fates: readonly FileFate[] }

/** What a rewind to a message would do, as the server counts it now; null until it has, and while there is no message. */
export function useRewindEffect(store: SessionStore, messageId: string | null): Effect | null {
  const { client } = useApp()
  const { sessionId, historyMark, messages } = useStore(store)
  const { data } = useQuery({
    queryKey: ['rewind', messageId, historyMark, messages.at(-1)?.id],
    enabled: messageId !== null,
    queryFn: () => client().session.rewind.mutate({ sessionId, messageId: messageId ?? '', preview: true }),
  })
  if (data === undefined) return null
  return { hides: data.hidden, files: data.files?.count ?? null, fates: data.files?.fates ?? [] }
}

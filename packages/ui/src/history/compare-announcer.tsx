import type { ChatMessage } from '@palimpsest/core/domain'
import { useEffect, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { useOutcome } from '../thread/use-outcome.ts'
import type { CompareSide } from './compare-side.ts'

export type CompareAnnouncerProps = {
  side: CompareSide
  /** The newest message of the side. */
  message: ChatMessage | undefined
}

/** Tells the ear when a reply begins and how it ends on one side; the sentences of two at once would drown each other. */
export function CompareAnnouncer({ side: { name, status, streamingId }, message }: CompareAnnouncerProps) {
  const { compare } = useMessages().history
  const outcome = useOutcome(message, status)
  const [told, setTold] = useState<'nothing' | 'begun' | 'ended'>('nothing')
  useEffect(() => {
    if (streamingId === null) return
    setTold('begun')
    return () => setTold('ended')
  }, [streamingId])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {outcome !== null && compare.outcome(name, outcome)}
      {outcome === null && told === 'begun' && compare.replying(name)}
      {outcome === null && told === 'ended' && compare.replyEnded(name)}
    </div>
  )
}

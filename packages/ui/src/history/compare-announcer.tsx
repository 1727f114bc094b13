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

/** Announces the start and the outcome of a reply on one side. Sentences of two replies at once would be unreadable. */
export function CompareAnnouncer({ side: { name, status, streamingId }, message }: CompareAnnouncerProps) {
  const { compare } = useMessages().history
  const outcome = useOutcome(message, status)
  const [phase, setPhase] = useState<'nothing' | 'begun' | 'ended'>('nothing')
  useEffect(() => {
    if (streamingId === null) return
    setPhase('begun')
    return () => setPhase('ended')
  }, [streamingId])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {outcome !== null && compare.outcome(name, outcome)}
      {outcome === null && phase === 'begun' && compare.replying(name)}
      {outcome === null && phase === 'ended' && compare.replyEnded(name)}
    </div>
  )
}

import { useEffect, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import type { CompareSide } from './compare-side.ts'

/** Tells the ear when a reply begins and ends on one side; the sentences of two at once would drown each other. */
export function CompareAnnouncer({ side: { name, streamingId } }: { side: CompareSide }) {
  const { compare } = useMessages().history
  const [told, setTold] = useState<'nothing' | 'begun' | 'ended'>('nothing')
  useEffect(() => {
    if (streamingId === null) return
    setTold('begun')
    return () => setTold('ended')
  }, [streamingId])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {told === 'begun' && compare.replying(name)}
      {told === 'ended' && compare.replyEnded(name)}
    </div>
  )
}

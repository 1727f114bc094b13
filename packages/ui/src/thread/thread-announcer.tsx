import type { ChatMessage } from '@palimpsest/core/domain'
import { useEffect, useRef, useState } from 'react'
import { messageText } from '../message/message-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { lastSentenceEnd, plainText } from './sentences.ts'

/** Milliseconds between two announcements. */
const INTERVAL_MS = 2_500

export type ThreadAnnouncerProps = {
  /** The reply that is being written, or null. */
  streaming: ChatMessage | null
}

/** Announces to screen readers whole sentences of the running reply, then that it has ended. */
export function ThreadAnnouncer({ streaming }: ThreadAnnouncerProps) {
  const { thread } = useMessages()
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef(streaming)
  if (streaming !== null) latest.current = streaming
  const id = streaming?.id ?? null

  useEffect(() => {
    if (id === null) return
    let announced = 0
    const textSoFar = () => (latest.current?.id === id ? messageText(latest.current) : '')
    const announce = () => {
      const text = textSoFar()
      const end = lastSentenceEnd(text)
      if (end <= announced) return
      setAnnouncement(plainText(text.slice(announced, end)))
      announced = end
    }
    setAnnouncement(thread.replying)
    const timer = setInterval(announce, INTERVAL_MS)
    return () => {
      clearInterval(timer)
      setAnnouncement(`${plainText(textSoFar().slice(announced))} ${thread.replyEnded}`.trim())
    }
  }, [id, thread])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {announcement}
    </div>
  )
}

import type { ChatMessage } from '@palimpsest/core/domain'
import { useEffect, useRef, useState } from 'react'
import { messageText } from '../message/message-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { lastSentenceEnd, plainText } from './sentences.ts'

/** Milliseconds between two announcements, so that sentences come in breaths. */
const BREATH_MS = 2_500

export type ThreadAnnouncerProps = {
  /** The reply that is being written, or null. */
  streaming: ChatMessage | null
}

/** Tells the ear what the eye sees: whole sentences of the running reply, then that it has ended. */
export function ThreadAnnouncer({ streaming }: ThreadAnnouncerProps) {
  const { thread } = useMessages()
  const [spoken, setSpoken] = useState('')
  const latest = useRef(streaming)
  if (streaming !== null) latest.current = streaming
  const id = streaming?.id ?? null

  useEffect(() => {
    if (id === null) return
    let told = 0
    const textSoFar = () => (latest.current?.id === id ? messageText(latest.current) : '')
    const tell = () => {
      const text = textSoFar()
      const end = lastSentenceEnd(text)
      if (end <= told) return
      setSpoken(plainText(text.slice(told, end)))
      told = end
    }
    setSpoken(thread.replying)
    const timer = setInterval(tell, BREATH_MS)
    return () => {
      clearInterval(timer)
      setSpoken(`${plainText(textSoFar().slice(told))} ${thread.replyEnded}`.trim())
    }
  }, [id, thread])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {spoken}
    </div>
  )
}

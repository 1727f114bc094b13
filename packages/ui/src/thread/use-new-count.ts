import type { ChatMessage } from '@palimpsest/core/domain'
import { useRef } from 'react'

/** Messages that have arrived at the end since the reader stopped following it. */
export function useNewCount(messages: readonly ChatMessage[], following: boolean): number {
  const seen = useRef<string | undefined>(undefined)
  if (following || seen.current === undefined) seen.current = messages.at(-1)?.id
  const at = messages.findLastIndex((message) => message.id === seen.current)
  return at < 0 ? 0 : messages.length - 1 - at
}

import type { WindowContent } from '@palimpsest/core/domain'
import { useEffect, useState } from 'react'
import { useApp } from '../stores/app-context.tsx'

/** What a session's window is made of: asked for while `open`, and again when another number of tokens was counted. */
export function useWindowContent(sessionId: string, open: boolean, used: number | undefined) {
  const { client } = useApp()
  const [content, setContent] = useState<WindowContent | null>(null)
  useEffect(() => {
    if (!open || used === undefined) return
    let left = false
    // Without an answer the breakdown shows all but this.
    client()
      .session.content.query({ sessionId })
      .then(
        (answer) => left || setContent(answer),
        () => undefined,
      )
    return () => {
      left = true
    }
  }, [client, sessionId, open, used])
  return content
}

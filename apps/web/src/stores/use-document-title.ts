import { useEffect } from 'react'
import { words } from '../words/en.ts'

/** Names the browser's tab after the session, null for a new chat, and says when it waits for the person. */
export function useDocumentTitle(session: string | null, waiting = false): void {
  useEffect(() => {
    const title = words.title(session)
    document.title = waiting ? words.waiting(title) : title
  }, [session, waiting])
}

import { useEffect } from 'react'
import { useStore } from '../state/use-store.ts'
import { words } from '../words/en.ts'
import { useApp } from './app-context.tsx'

/**
 * Names the browser's tab after the session, null for a new chat, says when it waits for the person, and begins with the number of
 * other chats that do.
 */
export function useDocumentTitle(session: string | null, waiting = false): void {
  const elsewhere = useStore(useApp().attention.elsewhere)
  useEffect(() => {
    const title = words.title(session)
    const named = waiting ? words.waiting(title) : title
    document.title = elsewhere > 0 ? `(${elsewhere}) ${named}` : named
  }, [session, waiting, elsewhere])
}

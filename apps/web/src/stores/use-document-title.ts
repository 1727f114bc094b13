import { useEffect } from 'react'
import { words } from '../words/en.ts'

/** Names the browser's tab after the session; null for a new chat. */
export function useDocumentTitle(session: string | null): void {
  useEffect(() => {
    document.title = words.title(session)
  }, [session])
}

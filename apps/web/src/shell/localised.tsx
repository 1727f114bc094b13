import { MessagesProvider } from '@palimpsest/ui'
import { type ReactNode, useEffect } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'

/** The page in the person's language; empty until its texts are loaded, so that no text changes before one's eyes. */
export function Localised({ children }: { children: ReactNode }) {
  const { language } = useApp()
  const { language: locale, messages } = useStore(language.state)
  useEffect(() => void language.begin(), [language])
  if (messages === null) return <div aria-busy className="fixed inset-0 bg-paper" />
  return (
    <MessagesProvider messages={messages} locale={locale}>
      {children}
    </MessagesProvider>
  )
}

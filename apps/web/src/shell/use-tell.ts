import { useMessages } from '@palimpsest/ui'
import { useCallback, useEffect, useRef } from 'react'
import { foundName } from '../session/version-name.ts'
import { useApp } from '../stores/app-context.tsx'
import { isLookedAt, notify, otherTabs } from './tell.ts'

/**
 * Notifies of something in a chat, once for each key other than that of the chat, unless the person sees the chat in this tab or
 * another. Without a name the one of the list is used.
 */
export function useTell() {
  const app = useApp()
  const { versions } = useMessages().history
  const told = useRef(new Set<string>())
  const tabs = useRef<ReturnType<typeof otherTabs> | null>(null)
  useEffect(() => {
    const opened = otherTabs((id) => isLookedAt() && app.router.get().sessionId === id)
    tabs.current = opened
    return () => {
      tabs.current = null
      opened.close()
    }
  }, [app])

  return useCallback(
    (key: string, sessionId: string, body: string, name?: string) => {
      if (told.current.has(key)) return
      if (key !== sessionId) told.current.add(key)
      const { sessions } = app.chats.get()
      const session = sessions.find(({ id }) => id === sessionId)
      const title = name ?? (session && foundName(session, sessions, versions)) ?? 'Palimpsest'
      tabs.current?.unlessSeen(sessionId, () => {
        if (app.attention.consent.get() !== 'on') return
        const onPress = () => app.router.push({ sessionId, anchor: null })
        notify({ tag: sessionId, title, body, onPress })
      })
    },
    [app, versions],
  )
}

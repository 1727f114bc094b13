import { useEffect, useRef, useState } from 'react'
import { endedLong } from '../session/waiting-chats.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { isLookedAt } from './tell.ts'

/** Ids of chats whose long reply has ended, until the person looks at them. `onEnded` is called with each as it ends. */
export function useEndedUnseen(onEnded: (sessionId: string, failed: boolean) => void): readonly string[] {
  const { chats, router } = useApp()
  const { sessionId } = useStore(router)
  const { statuses, sessions } = useStore(chats)
  const before = useRef(statuses)
  const [unseen, setUnseen] = useState<readonly string[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another status ends a reply
  useEffect(() => {
    const ended = endedLong(before.current, statuses, Date.now())
    before.current = statuses
    // Not those of subagents, whose chat goes on.
    const shown = ended.filter((id) => id === sessionId || sessions.some((session) => session.id === id))
    if (shown.length === 0) return
    setUnseen((others) => [...new Set([...others, ...shown])])
    for (const id of shown) onEnded(id, statuses[id]?.state === 'error')
  }, [statuses])

  useEffect(() => {
    const look = () => {
      if (sessionId !== null && unseen.includes(sessionId) && isLookedAt())
        setUnseen(unseen.filter((id) => id !== sessionId))
    }
    look()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [sessionId, unseen])
  return unseen
}

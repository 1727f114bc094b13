import { useCallback, useMemo } from 'react'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import type { HistoryView } from '../../stores/history-memory.ts'

export type ChangeView = (change: Partial<HistoryView>) => void

/** What is open of a session's history, and the way to change it. */
export function useHistoryView(sessionId: string): [view: HistoryView, change: ChangeView] {
  const { history } = useApp()
  const store = useMemo(() => history.of(sessionId), [history, sessionId])
  const view = useStore(store)
  const change = useCallback<ChangeView>((patch) => store.set({ ...store.get(), ...patch }), [store])
  return [view, change]
}

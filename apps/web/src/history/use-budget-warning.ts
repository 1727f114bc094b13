import { type BudgetUse, isRunning } from '@palimpsest/core/domain'
import { budgetUseText, useFormat, useMessages } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { historyWords } from '../words/en-history.ts'

/** Shows a note each time that a limit is nearly reached, with the way to raise it, until the limit ends the reply. */
export function useBudgetWarning(state: SessionState, raise: () => void): void {
  const { toasts } = useApp()
  const format = useFormat()
  const messages = useMessages()
  const near = state.budgetNear
  const ended = isSpent(state)
  const seen = useRef<BudgetUse | null>(near)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (ended && shown.current !== null) {
      toasts.dismiss(shown.current)
      shown.current = null
    }
    if (near === null || near === seen.current) return
    seen.current = near
    if (ended) return
    shown.current = toasts.add({
      tone: 'info',
      message: historyWords.budget.near(budgetUseText(near, format, messages)),
      action: { label: historyWords.budget.raise, onAction: raise },
    })
  }, [near, ended, raise, toasts, format, messages])
}

/** Whether a limit ended the newest reply, which says so itself. */
function isSpent(state: SessionState): boolean {
  return !isRunning(state.status) && shownMessages(state).at(-1)?.metadata?.finishReason === 'budget'
}

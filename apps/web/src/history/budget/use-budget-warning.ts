import type { BudgetUse } from '@palimpsest/core/domain'
import { budgetUseText, useFormat, useMessages } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import type { SessionState } from '../../session/session-state.ts'
import { shownMessages } from '../../session/thread-view.ts'
import { useApp } from '../../stores/app-context.tsx'
import { historyWords } from '../../words/en-history.ts'

/** Shows a note each time that a limit is nearly reached, with the way to raise it, until the limit ends the reply. */
export function useBudgetWarning(state: SessionState, raise: () => void): void {
  const { toasts } = useApp()
  const format = useFormat()
  const messages = useMessages()
  const near = state.budgetNear
  const spent = spentReply(state)
  const seen = useRef<BudgetUse | null>(near)
  const known = useRef(new Set<string>())
  const shown = useRef<string | null>(null)
  useEffect(() => {
    // A reply that goes on after one that was ended may have no message here yet: what ended is the earlier one.
    const ended = spent !== null && !known.current.has(spent)
    if (spent !== null) known.current.add(spent)
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
  }, [near, spent, raise, toasts, format, messages])
}

/** The newest reply, if a limit ended it; it says so itself. */
function spentReply(state: SessionState): string | null {
  const newest = shownMessages(state).at(-1)
  return newest?.metadata?.finishReason === 'budget' ? newest.id : null
}

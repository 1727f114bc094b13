import type { BudgetUse } from '@palimpsest/core/domain'
import { budgetUseText, useFormat, useMessages } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { historyWords } from '../words/en-history.ts'

/** Shows a note each time that a limit is nearly reached, with the way to raise it. */
export function useBudgetWarning(near: BudgetUse | null, raise: () => void): void {
  const { toasts } = useApp()
  const format = useFormat()
  const messages = useMessages()
  const shown = useRef(near)
  useEffect(() => {
    if (near === null || near === shown.current) return
    shown.current = near
    toasts.add({
      tone: 'info',
      message: historyWords.budget.near(budgetUseText(near, format, messages)),
      action: { label: historyWords.budget.raise, onAction: raise },
    })
  }, [near, raise, toasts, format, messages])
}

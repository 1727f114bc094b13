import { isRunning } from '@palimpsest/core/domain'
import { PlanBar } from '@palimpsest/ui'
import { useState } from 'react'
import type { InputPart } from '../session/input-part.ts'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'

type PlanEndProps = {
  state: SessionState
  onRun: (parts: InputPart[], mode: 'send') => void
  onKeepPlanning: () => void
}

/** After a reply of the mode `plan`: carry it out, or go on planning. */
export function PlanEnd({ state, onRun, onKeepPlanning }: PlanEndProps) {
  const { sessionApi, toasts } = useApp()
  const [dismissed, setDismissed] = useState<string | null>(null)
  const { session, status } = state
  const last = shownMessages(state).at(-1)
  const isReady =
    last?.role === 'assistant' && last.metadata?.finishReason === 'stop' && last.id !== dismissed
  if (session === null || isRunning(status) || !isReady) return null
  return (
    <PlanBar
      onRun={async (mode) => {
        const isSet = await toasts.guard(sessionApi.setMode(session.id, mode))
        if (isSet) onRun([{ type: 'text', text: agentWords.goAhead }], 'send')
      }}
      onKeepPlanning={() => {
        setDismissed(last.id)
        onKeepPlanning()
      }}
    />
  )
}

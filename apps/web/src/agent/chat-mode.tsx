import { isRunning, sessionMode } from '@palimpsest/core/domain'
import { ModeMenu, PlanBar } from '@palimpsest/ui'
import { useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { InputPart } from '../session/input-part.ts'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'

/** Chooses the mode that a new chat begins in. */
export const NewMode = ModeMenu

/** What the chat may do without asking. */
export function SessionMode({ session }: { session: NonNullable<SessionState['session']> }) {
  const { sessionApi, toasts } = useApp()
  const { makeWish } = useWorkspace()
  return (
    <ModeMenu
      mode={sessionMode(session.permissions)}
      onChange={(mode) => void toasts.guard(sessionApi.setMode(session.id, mode))}
      onShowRules={() => makeWish('permissions')}
    />
  )
}

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
  if (sessionMode(session.permissions) !== 'plan') return null
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

import { isRunning, type ModelInfo, type ModelRef } from '@palimpsest/core/domain'
import { ContextActions, ContextMeter } from '@palimpsest/ui'
import { useMemo, useState } from 'react'
import type { History } from '../history/use-history.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import { sessionCost } from '../model/session-cost.ts'
import { useHeaviest, useWindowContent } from '../model/use-window-content.ts'
import type { SessionState } from '../session/session-state.ts'
import { liveContextWindow } from '../session/thread-view.ts'
import { findModel } from '../stores/model-choice.ts'

export type WindowMeterProps = {
  state: SessionState
  models: readonly ModelInfo[]
  model: ModelRef | null
  history: History
}

/** How full the window is of the model that the next message goes to. */
export function WindowMeter({ state, models, model, history }: WindowMeterProps) {
  const { session, usage, messages } = state
  const costUsd = useMemo(
    () => (usage && session ? sessionCost(usage, messages, session.model, models) : 0),
    [usage, session, messages, models],
  )
  const { wish, makeWish } = useWorkspace()
  const [pressed, setPressed] = useState(false)
  const open = pressed || wish === 'window'
  const content = useWindowContent(state.sessionId, open, state.contextWindow?.used)
  const heaviest = useHeaviest(state.sessionId, open, state.contextWindow?.used)
  // Until the session is there its model is not known, and the window has limits of its own.
  const contextWindow = liveContextWindow(state, session && model && findModel(models, model))
  if (contextWindow === null || usage === null) return null
  const { compact, prune, leaveOut } = history.commands
  return (
    <ContextMeter
      contextWindow={contextWindow}
      usage={{ ...usage, costUsd }}
      content={content}
      heaviest={heaviest}
      onLeaveOut={leaveOut}
      writing={isRunning(state.status)}
      open={wish === 'window'}
      onOpenChange={(next) => {
        setPressed(next)
        if (!next && wish === 'window') makeWish(null)
      }}
      actions={(close) => (
        <ContextActions
          disabled={history.busy}
          onCompact={() => {
            close()
            compact()
          }}
          onPrune={() => {
            close()
            prune()
          }}
          onBudget={() => {
            close()
            history.setDialog('budget')
          }}
        />
      )}
    />
  )
}

import { contextWindow, type ModelInfo, type ModelRef } from '@palimpsest/core/domain'
import { FitDialog, type Misfit, modelLabel } from '@palimpsest/ui'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import type { SessionState } from '../../session/session-state.ts'
import { shownMessages } from '../../session/thread-view.ts'
import { useApp } from '../../stores/app-context.tsx'
import { branchPoint } from './branch-point.ts'
import { lineOf } from './prompts.ts'
import type { HistoryCommands } from './use-history-commands.ts'

type Pending = { model: ModelRef; misfit: Misfit; branchAt: string | null }

export type ModelSwitch = {
  /** Switches, or says first what that would do. */
  choose(model: ModelRef): void
  outcomeOf(model: ModelInfo): 'compacts' | 'too-small' | null
  dialog: ReactNode
  /** True while the dialog asks. */
  asked: boolean
}

/** What a switch of the model does is said before it is done. `asking` while models are being looked at. */
export function useModelSwitch(
  state: SessionState,
  models: readonly ModelInfo[],
  asking: boolean,
  {
    choose,
    commands,
    newChat,
  }: { choose: (model: ModelRef) => void; commands: HistoryCommands; newChat: () => void },
): ModelSwitch {
  const { client } = useApp()
  const { sessionId, session } = state
  const [pending, setPending] = useState<Pending | null>(null)
  const used = state.contextWindow?.used ?? 0
  const tight = models.filter((model) => isTight(model, used))
  const answers = useQueries({
    queries: tight.map(({ providerId, modelId }) => ({
      queryKey: ['fit', sessionId, providerId, modelId, used],
      enabled: asking && session !== null,
      queryFn: () => client().session.fit.query({ sessionId, model: { providerId, modelId } }),
    })),
  })
  const outcomeOf = (model: ModelInfo) => {
    const outcome = answers[tight.indexOf(model)]?.data?.outcome
    return outcome === undefined || outcome === 'fits' ? null : outcome
  }

  const ask = useCallback(
    (model: ModelRef, info: ModelInfo, outcome: Misfit['outcome']) => {
      const { usable } = contextWindow(used, true, info)
      const point = branchPoint(shownMessages(state), usable ?? 0)
      const misfit: Misfit = {
        outcome,
        modelLabel: modelLabel([info], model) ?? model.modelId,
        used,
        usable: usable ?? 0,
        branchAt: point === null ? null : lineOf(point.prompt),
      }
      setPending({ model, misfit, branchAt: point?.messageId ?? null })
    },
    [state, used],
  )

  return {
    choose(model) {
      const info = models.find((one) => one.providerId === model.providerId && one.modelId === model.modelId)
      const outcome = info === undefined ? null : outcomeOf(info)
      if (info === undefined || outcome === null) choose(model)
      else ask(model, info, outcome)
    },
    outcomeOf,
    asked: pending !== null,
    dialog: (
      <FitDialog
        misfit={pending?.misfit ?? null}
        onClose={() => setPending(null)}
        onSwitch={() => {
          if (pending !== null) choose(pending.model)
          setPending(null)
        }}
        onBranch={() => {
          if (pending?.branchAt) commands.branch(pending.branchAt, pending.model)
          setPending(null)
        }}
        onNewChat={() => {
          setPending(null)
          newChat()
        }}
      />
    ),
  }
}

function isTight(model: ModelInfo, used: number): boolean {
  const { usable } = contextWindow(used, true, model)
  return usable !== null && used >= usable
}

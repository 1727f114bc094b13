import type { ModelRef, Session } from '@palimpsest/core/domain'
import { useMemo } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { createPendingModel, effectiveModel } from '../stores/model-choice.ts'
import { useModels } from './use-models.ts'

/** The model that a session's next message goes to, and the way to choose another. */
export function useModelChoice(sessionId: string, session: Session | null) {
  const { storage, recentModels } = useApp()
  const catalogue = useModels()
  const recents = useStore(recentModels)
  const pending = useMemo(() => createPendingModel(storage, sessionId), [storage, sessionId])
  const picked = useStore(pending)
  const candidates = [picked, session?.model, session === null ? recents[0] : null, catalogue?.defaultModel]
  return {
    models: catalogue?.models ?? [],
    recents,
    model: effectiveModel(candidates, catalogue?.models ?? null),
    choose(model: ModelRef) {
      pending.set(model)
      recentModels.add(model)
    },
    /** The pick went out with a message: from now on it is the session's. */
    sent: () => pending.set(null),
  }
}

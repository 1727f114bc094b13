import type { ModelRef } from '@palimpsest/core/domain'
import { useMemo } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { createPendingModel, effectiveModel } from '../stores/model-choice.ts'
import { useModels } from './use-models.ts'

/**
 * The model that a session's next message goes to, and the way to choose another; null while only the server knows
 * it. A message that is on its way or queued has taken its model with it, which is the session's from then on.
 */
export function useModelChoice({
  sessionId,
  phase,
  session,
  outgoing,
  queue,
}: Pick<SessionState, 'sessionId' | 'phase' | 'session' | 'outgoing' | 'queue'>) {
  const { storage, recentModels } = useApp()
  const catalogue = useModels()
  const recents = useStore(recentModels)
  const pending = useMemo(() => createPendingModel(storage, sessionId), [storage, sessionId])
  const picked = useStore(pending)
  const waiting = [...queue.map(({ metadata }) => metadata?.model), ...outgoing.map(({ model }) => model)]
  const sent = waiting.findLast((model) => model !== undefined && model !== null)
  const own = sent ?? session?.model
  const chosen = catalogue?.chosen ? catalogue.defaultModel : null
  const forNew = own === undefined ? [chosen, recents[0]] : []
  // A chat that is still loading has a model, which is not known here yet: any other one would switch it.
  const others = own === undefined && phase !== 'ready' ? [] : [...forNew, catalogue?.defaultModel]
  const candidates = [picked, own, ...others]
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

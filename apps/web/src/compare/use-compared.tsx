import { type ChatMessage, isRunning, type ModelInfo } from '@palimpsest/core/domain'
import { type CompareSide, ContextMeter, modelLabel, useMessages } from '@palimpsest/ui'
import { useEffect, useMemo, useState } from 'react'
import { useSessionCommands } from '../composer/use-session-commands.ts'
import { sessionCost } from '../model/session-cost.ts'
import { useWindowContent } from '../model/use-window-content.ts'
import { familyOf, findNode, type Lineage } from '../session/forks.ts'
import { liveMessage } from '../session/live-run.ts'
import { isUnsent, outgoingMessages } from '../session/outgoing.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import { liveContextWindow, shownMessages, shownStatus } from '../session/thread-view.ts'
import { pageName, versionName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { routePath } from '../stores/route.ts'

/** One of two sessions that are compared: what it says, kept current, and what can be asked of it. */
export type Compared = {
  store: SessionStore
  state: SessionState
  messages: readonly ChatMessage[]
  commands: ReturnType<typeof useSessionCommands>
}

export function useCompared(sessionId: string): Compared {
  const { sessions } = useApp()
  const [store] = useState(() => sessions.of(sessionId, false))
  const state = useStore(store)
  const commands = useSessionCommands(store)
  const { messages: stored, live, outgoing } = state
  useEffect(() => {
    store.start()
    return store.stop
  }, [store])
  const messages = useMemo(
    () => [...shownMessages({ messages: stored, live }), ...outgoingMessages(outgoing)],
    [stored, live, outgoing],
  )
  return { store, state, messages, commands }
}

/** The heading of a side. */
export function useSide(
  { state }: Compared,
  lineage: Lineage | null,
  models: readonly ModelInfo[],
): CompareSide {
  const { versions } = useMessages().history
  const node = lineage && findNode(lineage.root, state.sessionId)
  return {
    id: state.sessionId,
    name:
      lineage && node
        ? versionName(node.session, familyOf(lineage.root), versions)
        : (pageName(state, null, versions, versionName) ?? ''),
    href: routePath({ sessionId: state.sessionId, anchor: null }),
    status: shownStatus(state),
    unsent: isUnsent(state.outgoing),
    streamingId: liveMessage(state.live)?.id ?? null,
    model: modelLabel(models, state.session?.model),
    tokens: state.usage?.totalTokens,
    meter: <SideMeter state={state} models={models} />,
  }
}

/** How full the window of a side is. */
function SideMeter({ state, models }: { state: SessionState; models: readonly ModelInfo[] }) {
  const { session, usage, messages, sessionId } = state
  const [open, setOpen] = useState(false)
  const content = useWindowContent(sessionId, open, state.contextWindow?.used)
  const costUsd = useMemo(
    () => (usage && session ? sessionCost(usage, messages, session.model, models) : 0),
    [usage, session, messages, models],
  )
  const contextWindow = liveContextWindow(state, null)
  if (contextWindow === null || usage === null) return null
  return (
    <ContextMeter
      contextWindow={contextWindow}
      usage={{ ...usage, costUsd }}
      content={content}
      writing={isRunning(state.status)}
      onOpenChange={setOpen}
    />
  )
}

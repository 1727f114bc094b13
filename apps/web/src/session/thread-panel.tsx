import { type ChatMessage, isRunning, type ModelInfo, type SessionStatus } from '@palimpsest/core/domain'
import { type MessageActions, Thread, ThreadSkeleton } from '@palimpsest/ui'
import { useEffect, useMemo } from 'react'
import { useApp } from '../shell/app-context.tsx'
import { routePath } from '../shell/route.ts'
import { useStore } from '../state/use-store.ts'
import { liveMessage } from './live-run.ts'
import type { SessionState } from './session-state.ts'
import { shownMessages } from './thread-view.ts'
import type { SessionCommands } from './use-session-commands.ts'

export type ThreadPanelProps = {
  state: SessionState
  models: readonly ModelInfo[]
  commands: SessionCommands
  onLoadOlder: () => void
}

/** The thread of a session; opened by a link to a message, it first loads the pages down to that message. */
export function ThreadPanel({ state, models, commands, onLoadOlder }: ThreadPanelProps) {
  const { router } = useApp()
  const { anchor } = useStore(router)
  const { sessionId, older } = state
  const messages = useShown(state)
  const actions = useMessageActions(sessionId, commands)
  const sought = anchor !== null && messages.every(({ id }) => id !== anchor)
  const seeking = sought && older.cursor !== null && older.state !== 'failed'
  useEffect(() => {
    if (seeking && older.state === 'idle') onLoadOlder()
  }, [seeking, older.state, onLoadOlder])

  if (seeking) return <ThreadSkeleton />
  return (
    <Thread
      key={anchor}
      messages={messages}
      status={shownStatus(state)}
      unsent={state.outgoing.some((entry) => !entry.queued && entry.state.type === 'failed')}
      streamingId={liveMessage(state.live)?.id ?? null}
      models={models}
      actions={actions}
      hasOlder={older.cursor !== null}
      loadingOlder={older.state === 'loading'}
      onLoadOlder={onLoadOlder}
      {...(anchor !== null && { anchorId: anchor })}
    />
  )
}

/** Stored and streaming messages, then what is on its way to the server. */
function useShown({ messages, live, outgoing }: SessionState): readonly ChatMessage[] {
  return useMemo(
    () => [
      ...shownMessages({ messages, live }),
      ...outgoing.flatMap(({ queued, message }) => (queued ? [] : [message])),
    ],
    [messages, live, outgoing],
  )
}

/** A message that is on its way is about to be answered, whatever the server knows of it. */
function shownStatus({ status, outgoing }: SessionState): SessionStatus {
  const onItsWay = outgoing.some(({ state }) => state.type !== 'failed')
  return onItsWay && !isRunning(status) ? { state: 'busy', runId: '', startedAt: 0 } : status
}

function useMessageActions(sessionId: string, commands: SessionCommands): MessageActions {
  return useMemo(
    () => ({
      linkFor: (messageId) => routePath({ sessionId, anchor: messageId }),
      onRegenerate: commands.resend,
      onContinue: commands.continue,
      onResend: (messageId) => commands.resend(messageId),
      onStop: commands.stop,
    }),
    [sessionId, commands],
  )
}

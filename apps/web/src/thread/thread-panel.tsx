import type { ChatMessage, ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { type MessageActions, type MessageExtras, Thread, ThreadSkeleton } from '@palimpsest/ui'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { SessionCommands } from '../composer/use-session-commands.ts'
import { liveMessage } from '../session/live-run.ts'
import { isUnsent, outgoingMessages } from '../session/outgoing.ts'
import type { SessionState } from '../session/session-state.ts'
import { shownStatus } from '../session/thread-view.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { ADD_MODEL_ANCHOR, routePath } from '../stores/route.ts'

/** A thread as history lays it out: its messages in reading order, and the elements between and after them. */
type ThreadHistory = { messages: readonly ChatMessage[]; extras: MessageExtras; end: ReactNode }

/** Shows the model an output whole, or its condensed form again. */
type OutputCommands = { seeWhole(messageId: string, toolCallId: string, whole: boolean): void }

export type ThreadPanelProps = {
  state: SessionState
  models: readonly ModelInfo[]
  commands: SessionCommands
  history: {
    readonly thread: ThreadHistory
    readonly commands: OutputCommands
    /** Another reply in the place of one; asks first when that hides later messages. */
    readonly replyAgain: (messageId: string, model?: ModelRef) => void
  }
  onLoadOlder: () => void
}

/**
 * The thread of a session, opened at the message that the address names or else where it was last read in this tab:
 * first the pages down to there are loaded.
 */
export function ThreadPanel({ state, models, commands, history, onLoadOlder }: ThreadPanelProps) {
  const { router, history: memory } = useApp()
  const anchor = messageAnchor(useStore(router).anchor)
  const { sessionId, older } = state
  const messages = useShown(history.thread.messages, state)
  const actions = useMessageActions(sessionId, commands, history)
  const [place] = useState(() => memory.places.of(sessionId))
  const target = anchor ?? place?.messageId ?? null
  // One that is hidden and not looked at is not found further up either.
  const sought = target !== null && [...messages, ...state.messages].every(({ id }) => id !== target)
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
      unsent={isUnsent(state.outgoing)}
      streamingId={liveMessage(state.live)?.id ?? null}
      models={models}
      actions={actions}
      extras={history.thread.extras}
      end={history.thread.end}
      onPlace={(next) => memory.places.keep(sessionId, next)}
      {...(place !== null && { place })}
      hasOlder={older.cursor !== null}
      loadingOlder={older.state === 'loading'}
      onLoadOlder={onLoadOlder}
      {...(anchor !== null && { anchorId: anchor })}
    />
  )
}

/** The message that an address names; other anchors are dialogs. */
function messageAnchor(anchor: string | null): string | null {
  return anchor === ADD_MODEL_ANCHOR ? null : anchor
}

/** What is read, then what is on its way to the server; that which replaces a message hides it and what follows. */
function useShown(read: readonly ChatMessage[], { outgoing }: SessionState): readonly ChatMessage[] {
  return useMemo(() => {
    const replaced = outgoing.find(({ replaces, state }) => replaces !== null && state.type !== 'failed')
    const cut = replaced === undefined ? -1 : read.findIndex(({ id }) => id === replaced.replaces)
    return [...(cut === -1 ? read : read.slice(0, cut)), ...outgoingMessages(outgoing)]
  }, [read, outgoing])
}

function useMessageActions(
  sessionId: string,
  commands: SessionCommands,
  { commands: outputs, replyAgain }: ThreadPanelProps['history'],
): MessageActions {
  return useMemo(
    () => ({
      linkFor: (messageId) => routePath({ sessionId, anchor: messageId }),
      onRegenerate: replyAgain,
      onContinue: commands.continue,
      onResend: (messageId) => commands.resend(messageId),
      onUseFullResult: outputs.seeWhole,
      onStop: commands.stop,
    }),
    [sessionId, commands, outputs, replyAgain],
  )
}

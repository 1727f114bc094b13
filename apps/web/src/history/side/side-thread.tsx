import { isRunning, type ModelInfo } from '@palimpsest/core/domain'
import { Button, ConfirmDialog, QueueChips, Thread, ThreadSkeleton, useMessages } from '@palimpsest/ui'
import { useEffect, useMemo, useState } from 'react'
import { AskPanel } from '../../composer/ask-panel.tsx'
import { queueActions } from '../../composer/queue-actions.ts'
import { queueOf } from '../../composer/queue-of.ts'
import { queuePause } from '../../composer/queue-pause.ts'
import { sendAs } from '../../composer/send-as.ts'
import { UnsentNotices } from '../../composer/unsent-notices.tsx'
import { useSessionCommands } from '../../composer/use-session-commands.ts'
import { isCopied } from '../../session/forks.ts'
import { liveMessage } from '../../session/live-run.ts'
import { isUnsent, outgoingMessages } from '../../session/outgoing.ts'
import { shownMessages, shownStatus } from '../../session/thread-view.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import { historyWords as words } from '../../words/en-history.ts'
import { useReplyAgain } from '../actions/use-reply-again.tsx'
import { SideComposer } from './side-composer.tsx'

export type SideThreadProps = {
  sideId: string
  models: readonly ModelInfo[]
  /** Called when it is kept, discarded, or gone. */
  onGone: () => void
}

/** What was asked on the side: only what was said here, with the ways to keep or discard it. */
export function SideThread({ sideId, models, onGone }: SideThreadProps) {
  const { sessions } = useApp()
  const [store] = useState(() => sessions.of(sideId, false))
  const state = useStore(store)
  const commands = useSessionCommands(store)
  const { session, status, phase } = state
  const queue = queueOf(state)
  useEffect(() => {
    store.start()
    return store.stop
  }, [store])
  useEffect(() => {
    if (phase === 'missing') onGone()
  }, [phase, onGone])
  const messages = useMemo(() => {
    const said = shownMessages(state).filter((message) => session !== null && !isCopied(message, session))
    return [...said, ...outgoingMessages(state.outgoing)]
  }, [state, session])
  const { replyAgain, dialog } = useReplyAgain(store, commands.resend)
  const actions = useMemo(
    () => ({ onRegenerate: replyAgain, onResend: commands.resend, onContinue: commands.continue }),
    [commands, replyAgain],
  )

  return (
    <>
      {session === null ? (
        <ThreadSkeleton />
      ) : (
        <Thread
          messages={messages}
          status={shownStatus(state)}
          unsent={isUnsent(state.outgoing)}
          streamingId={liveMessage(state.live)?.id ?? null}
          models={models}
          actions={actions}
        />
      )}
      {dialog}
      <UnsentNotices
        sessionId={state.sessionId}
        outgoing={state.outgoing}
        onRetry={store.retry}
        onDiscard={store.discard}
      />
      <AskPanel state={state} onLeave={() => undefined} />
      <SideEnd sideId={sideId} onGone={onGone} />
      <SideComposer
        draftKey={sideId}
        running={isRunning(status)}
        onSend={(parts, mode) => {
          sendAs({ store, commands }, { parts, model: session?.model ?? null }, mode)
          return Promise.resolve(true)
        }}
        onStop={commands.stop}
        above={(add) => (
          <QueueChips
            queue={queue}
            actions={queueActions(queue, commands, add)}
            paused={queuePause(state)}
            onStopAll={isRunning(status) ? commands.stopAll : undefined}
          />
        )}
      />
    </>
  )
}

function SideEnd({ sideId, onGone }: { sideId: string; onGone: () => void }) {
  const { client, toasts, router, drafts } = useApp()
  const { side } = useMessages().history
  const [asking, setAsking] = useState(false)

  async function keep(): Promise<void> {
    if (!(await toasts.guard(client().session.keep.mutate({ sessionId: sideId })))) return
    onGone()
    const open = () => router.push({ sessionId: sideId, anchor: null })
    toasts.add({ message: words.kept, action: { label: words.open, onAction: open } })
  }

  async function discard(): Promise<void> {
    if (!(await toasts.guard(client().session.delete.mutate({ sessionId: sideId })))) return
    drafts.forget(sideId)
    onGone()
  }

  return (
    <div className="flex justify-end gap-1.5 px-3 pb-2">
      <Button small variant="quiet" onClick={() => setAsking(true)}>
        {side.discard}
      </Button>
      <Button small onClick={() => void keep()}>
        {side.keep}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={side.discardTitle}
        description={side.discardBody}
        confirmLabel={side.discard}
        danger
        onConfirm={() => void discard()}
      />
    </div>
  )
}

import type { ModelInfo } from '@palimpsest/core/domain'
import {
  Button,
  CompareHead,
  CompareView,
  type MessageActions,
  NotFound,
  ThreadSkeleton,
  useMessages,
  WaitingCallsProvider,
  type Which,
} from '@palimpsest/ui'
import { useEffect, useMemo, useState } from 'react'
import { useLineage } from '../history/actions/use-lineage.ts'
import { useReplyAgain } from '../history/actions/use-reply-again.tsx'
import { useModels } from '../model/use-models.ts'
import { waitingCalls } from '../session/waiting-calls.ts'
import { useApp } from '../stores/app-context.tsx'
import { alignTurns } from './align-turns.ts'
import { CompareComposer } from './compare-composer.tsx'
import { type Compared, useCompared, useSide } from './use-compared.tsx'

const NO_MODELS: readonly ModelInfo[] = []

/** The two threads and the composer that writes to either or both. */
export function CompareBoard(ids: { left: string; right: string }) {
  const { router } = useApp()
  const { compare } = useMessages().history
  const models = useModels()?.models ?? NO_MODELS
  const left = useCompared(ids.left)
  const right = useCompared(ids.right)
  const lineage = useLineage(ids.right, right.state.historyMark, right.state.session !== null)
  const sides = { left: useSide(left, lineage, models), right: useSide(right, lineage, models) }
  const [shown, setShown] = useState<Which>('right')
  const alignment = useMemo(() => alignTurns(left.messages, right.messages), [left.messages, right.messages])
  const waiting = useWaiting(left, right)
  const loading = left.state.phase === 'loading' || right.state.phase === 'loading'
  useEarlier(left, right, !loading && !alignment.related)
  const again = {
    left: useReplyAgain(left.store, left.commands.resend),
    right: useReplyAgain(right.store, right.commands.resend),
  }
  const actions = {
    left: useActions(left, again.left.replyAgain),
    right: useActions(right, again.right.replyAgain),
  }
  const earlier = [left, right].filter(({ state }) => state.older.cursor !== null)

  if (left.state.phase === 'missing' || right.state.phase === 'missing') return <NotFound homeHref="/" />
  return (
    <>
      <CompareHead
        {...sides}
        shown={shown}
        onShow={setShown}
        onOpen={(sessionId) => router.push({ sessionId, anchor: null })}
      />
      <div className="min-h-0 grow">
        {loading ? (
          <ThreadSkeleton />
        ) : (
          <WaitingCallsProvider value={waiting}>
            <CompareView
              {...sides}
              {...alignment}
              models={models}
              actions={actions}
              shown={shown}
              lead={
                <div className="flex flex-col items-center pt-3 text-sm text-muted">
                  {!alignment.related && earlier.length === 0 && <p>{compare.unrelated}</p>}
                  {earlier.length > 0 && (
                    <Button
                      small
                      variant="quiet"
                      onClick={() => {
                        for (const { store } of earlier) store.loadOlder()
                      }}
                    >
                      {compare.older}
                    </Button>
                  )}
                </div>
              }
            />
          </WaitingCallsProvider>
        )}
      </div>
      <div className="mx-auto w-full max-w-column shrink-0 px-1 pb-3 md:px-0">
        <CompareComposer
          left={left}
          right={right}
          names={{ left: sides.left.name, right: sides.right.name }}
          onSent={(target) => target === 'both' || setShown(target)}
        />
        {again.left.dialog}
        {again.right.dialog}
      </div>
    </>
  )
}

/** The calls of both sides that wait for the person. */
function useWaiting({ state: left }: Compared, { state: right }: Compared): ReadonlySet<string> {
  return useMemo(
    () => new Set([...waitingCalls(left.sessionId, left.asks), ...waitingCalls(right.sessionId, right.asks)]),
    [left.sessionId, left.asks, right.sessionId, right.asks],
  )
}

/** Loads further up until the two have something in common, or all of them is there. */
function useEarlier(left: Compared, right: Compared, seeking: boolean): void {
  const [one, two] = [left.state.older, right.state.older]
  useEffect(() => {
    if (!seeking) return
    if (one.cursor !== null && one.state === 'idle') left.store.loadOlder()
    if (two.cursor !== null && two.state === 'idle') right.store.loadOlder()
  }, [seeking, one, two, left.store, right.store])
}

function useActions({ commands }: Compared, onRegenerate: NonNullable<MessageActions['onRegenerate']>) {
  return useMemo(
    () => ({
      onRegenerate,
      onContinue: commands.continue,
      onResend: (messageId: string) => commands.resend(messageId),
      onStop: commands.stop,
    }),
    [commands, onRegenerate],
  )
}

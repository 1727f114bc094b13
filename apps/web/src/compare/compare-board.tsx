import {
  Button,
  CompareHead,
  CompareView,
  NotFound,
  ThreadSkeleton,
  useMessages,
  type Which,
} from '@palimpsest/ui'
import { useEffect, useMemo, useState } from 'react'
import { useLineage } from '../history/use-lineage.ts'
import { useModels } from '../model/use-models.ts'
import { useApp } from '../stores/app-context.tsx'
import { alignTurns } from './align-turns.ts'
import { CompareComposer } from './compare-composer.tsx'
import { type Compared, useCompared, useSide } from './use-compared.ts'

/** The two threads and the composer that writes to either or both. */
export function CompareBoard(ids: { left: string; right: string }) {
  const { router } = useApp()
  const { compare } = useMessages().history
  const models = useModels()?.models ?? []
  const left = useCompared(ids.left)
  const right = useCompared(ids.right)
  const lineage = useLineage(ids.right, right.state.historyMark, right.state.session !== null)
  const sides = { left: useSide(left, lineage), right: useSide(right, lineage) }
  const [shown, setShown] = useState<Which>('right')
  const alignment = useMemo(() => alignTurns(left.messages, right.messages), [left.messages, right.messages])
  const loading = left.state.phase === 'loading' || right.state.phase === 'loading'
  useEarlier(left, right, !loading && !alignment.related)
  const actions = { left: useActions(left), right: useActions(right) }
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
        )}
      </div>
      <div className="mx-auto w-full max-w-measure shrink-0 px-1 pb-3 md:px-0">
        <CompareComposer
          left={left}
          right={right}
          names={{ left: sides.left.name, right: sides.right.name }}
        />
      </div>
    </>
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

function useActions({ commands }: Compared) {
  return useMemo(
    () => ({
      onRegenerate: commands.resend,
      onContinue: commands.continue,
      onResend: (messageId: string) => commands.resend(messageId),
      onStop: commands.stop,
    }),
    [commands],
  )
}

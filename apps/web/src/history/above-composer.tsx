import { CompactionNotice, RewindTray } from '@palimpsest/ui'
import { isCompacting } from '../session/compaction.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { trayRewind } from './rewind-tray-state.ts'
import type { History } from './use-history.tsx'

/** The bars above the composer: undo of a rewind, and the progress of a summary. */
export function AboveComposer({ history }: { history: History }) {
  const { state, view, change, commands, thread } = history
  const { compaction, status, timeline } = state
  const { router } = useApp()
  const rewind = trayRewind(timeline, shownMessages(state), view.dismissed)
  const peeking = rewind !== null && view.revealed.includes(rewind.id)

  /** Brings what was hidden forward, or hides it again and leads back to the end. */
  function peek(operationId: string): void {
    thread.reveal([operationId])
    if (peeking) router.replace({ sessionId: state.sessionId, anchor: null })
  }

  return (
    <>
      {isCompacting(compaction, status) && (
        <CompactionNotice state="running" auto={compaction.type === 'running' && compaction.auto} />
      )}
      {compaction.type === 'failed' && (
        <CompactionNotice
          state="failed"
          message={compaction.message}
          onRetry={commands.compact}
          onPrune={commands.prune}
          onNewChat={history.newChat}
          onDismiss={history.dismissCompaction}
        />
      )}
      {rewind && (
        <RewindTray
          hidden={rewind.hiddenCount}
          more={thread.isOver(rewind.id)}
          restored={rewind.shownCount}
          files={rewind.detail.fileCount ?? 0}
          peeking={peeking}
          onPeek={() => peek(rewind.id)}
          onRestore={() => commands.restore(rewind.id)}
          onTimeline={() => change({ panel: 'timeline' })}
          onDismiss={() => change({ dismissed: rewind.id })}
        />
      )}
    </>
  )
}

import { CompactionNotice, RewindTray } from '@palimpsest/ui'
import { isCompacting } from '../session/compaction.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { TrayPoints } from './history-parts.tsx'
import { trayRewind } from './rewind/rewind-tray-state.ts'
import { wayBack } from './rewind/way-back.ts'
import type { History } from './use-history.tsx'

/** The bars above the composer: undo of a rewind, and the progress of a summary. */
export function AboveComposer({ history }: { history: History }) {
  const { state, view, change, commands, thread } = history
  const { compaction, status, timeline } = state
  const { router } = useApp()
  const rewind = trayRewind(timeline, shownMessages(state), view.dismissed)
  const way = rewind && wayBack(timeline, rewind)
  const hiding = way === null ? [] : thread.shownWith(way.operationIds)
  const peeking = way !== null && hiding.every((id) => view.revealed.includes(id))

  /** Brings what was hidden forward, or hides it again and leads back to the end. */
  function peek(operationIds: readonly string[]): void {
    thread.reveal(operationIds)
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
      {rewind && way && (
        <RewindTray
          hidden={way.hidden}
          total={thread.totalAt(way.operationIds)}
          restored={rewind.kind === 'unrewind' ? rewind.shownCount : 0}
          editTakenBack={timeline.some(
            ({ id, detail }) => id === rewind.detail.undoes && detail.replacedMessageId !== undefined,
          )}
          files={rewind.detail.fileCount ?? 0}
          peeking={peeking}
          onPeek={() => peek(hiding)}
          onRestore={() => commands.restoreTo(way.pointId)}
          onTimeline={() => change({ panel: 'timeline' })}
          onDismiss={() => change({ dismissed: rewind.id })}
          earlier={
            <TrayPoints
              state={state}
              onRestoreTo={commands.restoreTo}
              onMore={() => change({ panel: 'timeline' })}
            />
          }
        />
      )}
    </>
  )
}

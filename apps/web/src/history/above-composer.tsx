import { CompactionNotice, RewindTray } from '@palimpsest/ui'
import { shownMessages } from '../session/thread-view.ts'
import { isCompacting } from './compaction.ts'
import { trayRewind } from './rewind-tray-state.ts'
import type { History } from './use-history.tsx'

/** What stands over the composer: the way back from a rewind, and how a summary is getting on. */
export function AboveComposer({ history }: { history: History }) {
  const { state, view, change, commands, thread } = history
  const { compaction, status, timeline } = state
  const rewind = trayRewind(timeline, shownMessages(state), view.dismissed)
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
          onFree={commands.prune}
          onNewChat={history.newChat}
          onDismiss={history.dismissCompaction}
        />
      )}
      {rewind && (
        <RewindTray
          hidden={rewind.hiddenCount}
          restored={rewind.shownCount}
          peeking={view.revealed.includes(rewind.id)}
          onPeek={() => thread.reveal([rewind.id])}
          onRestore={() => commands.restore(rewind.id)}
          onTimeline={() => change({ panel: 'timeline' })}
          onDismiss={() => change({ dismissed: rewind.id })}
        />
      )}
    </>
  )
}

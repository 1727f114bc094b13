import { ListTree } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import type { TimelineEntry } from './timeline-entry.ts'
import { TimelineRow, type TimelineRowActions } from './timeline-row.tsx'

export type TimelineListProps = TimelineRowActions & {
  /** The latest first. */
  entries: readonly TimelineEntry[]
}

/** Everything that was done to a session's history, in order, each with the way back. */
export function TimelineList({ entries, ...actions }: TimelineListProps) {
  const { timeline } = useMessages().history
  if (entries.length === 0) {
    return (
      <div className="flex flex-col items-center gap-1.5 px-8 py-12 text-center">
        <ListTree aria-hidden size={22} className="text-ghost" />
        <p className="font-medium">{timeline.empty}</p>
        <p className="text-sm text-muted">{timeline.emptyHint}</p>
      </div>
    )
  }
  return (
    <div className="p-4">
      <p className="pb-3 text-sm text-muted">{timeline.lead}</p>
      <ol>
        {entries.map((entry, at) => (
          <TimelineRow key={entry.id} entry={entry} last={at === entries.length - 1} {...actions} />
        ))}
      </ol>
    </div>
  )
}

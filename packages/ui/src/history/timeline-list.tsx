import { ListTree } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import type { TimelineEntry } from './timeline-entry.ts'
import { TimelineRow, type TimelineRowActions } from './timeline-row.tsx'
import { type SentPoint, TimelineSentRow } from './timeline-sent-row.tsx'

export type TimelineListProps = TimelineRowActions & {
  /** The latest first. */
  entries: readonly TimelineEntry[]
  /** Messages that were sent, the latest first. */
  sent: readonly SentPoint[]
}

/** Rows that are drawn before more are asked for. */
const ROWS = 60

/** Everything that was sent and done to a session's history, in order, each with the way back. */
export function TimelineList({ entries, sent, ...actions }: TimelineListProps) {
  const { timeline } = useMessages().history
  const [drawn, setDrawn] = useState(ROWS)
  const rows = useMemo(() => inOrder(entries, sent), [entries, sent])
  if (rows.length === 0) {
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
        {rows
          .slice(0, drawn)
          .map((row, at) =>
            'pointId' in row ? (
              <TimelineSentRow key={row.pointId} point={row} last={at === rows.length - 1} {...actions} />
            ) : (
              <TimelineRow key={row.id} entry={row} last={at === rows.length - 1} {...actions} />
            ),
          )}
      </ol>
      {rows.length > drawn && (
        <Button small variant="quiet" onClick={() => setDrawn(drawn + ROWS)}>
          {timeline.earlier}
        </Button>
      )}
    </div>
  )
}

function inOrder(
  entries: readonly TimelineEntry[],
  sent: readonly SentPoint[],
): readonly (TimelineEntry | SentPoint)[] {
  const timeOf = (row: TimelineEntry | SentPoint) => ('pointId' in row ? row.at : row.createdAt)
  return [...entries, ...sent].sort((a, b) => timeOf(b) - timeOf(a))
}

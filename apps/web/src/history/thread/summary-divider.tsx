import type { ChatMessage } from '@palimpsest/core/domain'
import { CompactionDivider, type TimelineEntry } from '@palimpsest/ui'
import { summaryData } from '../../session/summary.ts'

export type SummaryDividerProps = {
  message: ChatMessage
  timeline: readonly TimelineEntry[]
  open: boolean
  onOpenChange: (open: boolean) => void
  originals: boolean
  onToggleOriginals: () => void
  onUndo: () => void
}

/** A summary in the thread. One that a branch was made with has no messages behind it, and nothing to take back. */
export function SummaryDivider({
  message,
  timeline,
  open,
  onOpenChange,
  originals,
  onToggleOriginals,
  onUndo,
}: SummaryDividerProps) {
  const data = summaryData(message)
  const operation = timeline.find(({ id }) => id === message.metadata?.compactionId)
  if (data === null) return null
  return (
    <CompactionDivider
      {...data}
      count={operation?.hiddenCount ?? null}
      createdAt={message.metadata?.createdAt ?? 0}
      open={open}
      onOpenChange={onOpenChange}
      originals={originals}
      onToggleOriginals={operation && onToggleOriginals}
      onUndo={operation?.canUndo ? onUndo : undefined}
    />
  )
}

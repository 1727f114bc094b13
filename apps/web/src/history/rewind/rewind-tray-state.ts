import type { ChatMessage } from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'

/**
 * The rewind that the tray above the composer offers to undo: the last operation, until the reader's next message. An
 * edited message is part of its rewind.
 */
export function trayRewind(
  timeline: readonly TimelineEntry[],
  shown: readonly ChatMessage[],
  dismissed: string | null,
): TimelineEntry | null {
  const [last] = timeline
  if (last === undefined || !last.canUndo || last.hiddenCount === 0 || last.id === dismissed) return null
  if (last.kind !== 'rewind' && last.kind !== 'unrewind') return null
  // The switch at the message itself leads back.
  if (last.kind === 'unrewind' && last.detail.targetMessageId !== undefined) return null
  const newest = shown.findLast(({ role }) => role === 'user')
  const goneOn = (newest?.metadata?.createdAt ?? 0) > last.createdAt
  return goneOn ? null : last
}

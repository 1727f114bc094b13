import type { ChatMessage } from '@palimpsest/core/domain'
import type { QueueActions } from '@palimpsest/ui'
import { inputParts } from '../session/input-part.ts'
import type { SessionCommands } from './use-session-commands.ts'

/** What the chips over the composer do; `keep` is given the words of an edit that came too late. */
export function queueActions(
  queue: readonly ChatMessage[],
  commands: SessionCommands,
  keep: (text: string) => void,
): QueueActions {
  return {
    async onEdit(messageId, text) {
      const message = queue.find(({ id }) => id === messageId)
      const files = inputParts(message?.parts ?? []).filter(({ type }) => type === 'file')
      const saved = await commands.editQueued(messageId, [...files, { type: 'text', text }])
      if (!saved) keep(text)
    },
    onLeft: keep,
    onMove: (messageId, index) => commands.reorderQueue(moved(queue, messageId, index)),
    onSendNow: commands.promote,
    onRemove: commands.cancelQueued,
  }
}

function moved(queue: readonly ChatMessage[], messageId: string, index: number): string[] {
  return queue
    .map(({ id }) => id)
    .filter((id) => id !== messageId)
    .toSpliced(index, 0, messageId)
}

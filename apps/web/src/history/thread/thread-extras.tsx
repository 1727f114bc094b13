import type { ChatMessage } from '@palimpsest/core/domain'
import { HistoryActions, type HistoryActionsProps, type MessageExtras, RestoreHidden } from '@palimpsest/ui'
import type { ReactNode } from 'react'
import { isHidden } from '../../session/visibility.ts'

export type ThreadExtrasInput = Pick<MessageExtras, 'before' | 'after' | 'instead'> & {
  onEdit: (messageId: string) => void
  onRewind: (messageId: string) => void
  /** What a rewind to a message would do. */
  rewindHint: (messageId: string) => ReactNode
  onBranch: (messageId: string) => void
  /** Leaves a message out of what the model reads, or brings it back. */
  onLeaveOut: (messageId: string, leaveOut: boolean) => void
  /** Restores the state in which a hidden message was last visible. */
  onRestore: (message: ChatMessage) => void
}

type ViewActions = Pick<HistoryActionsProps, 'leftOut' | 'onLeaveOut'>

/** What history adds to messages. Rows of actions are kept, so that a message is not drawn again for the same ones. */
export function createRowActions({
  onEdit,
  onRewind,
  rewindHint,
  onBranch,
  onLeaveOut,
  onRestore,
}: Omit<ThreadExtrasInput, 'before' | 'after' | 'instead'>) {
  const kept = new Map<string, ReactNode>()
  const keep = (key: string, make: () => ReactNode) => {
    const node = kept.get(key) ?? make()
    kept.set(key, node)
    return node
  }
  const keepVisible = ({ id, metadata }: ChatMessage, make: (view: ViewActions) => ReactNode) => {
    const leftOut = metadata?.leftOut === true
    const view = { leftOut, onLeaveOut: (leaveOut: boolean) => onLeaveOut(id, leaveOut) }
    return keep(leftOut ? `left out ${id}` : id, () => make(view))
  }
  const restore = (message: ChatMessage) =>
    keep(`hidden ${message.id}`, () => <RestoreHidden onRestore={() => onRestore(message)} />)
  return {
    user: (message: ChatMessage) => {
      const { id } = message
      if (isHidden(message)) return restore(message)
      return keepVisible(message, (view) => (
        <HistoryActions
          {...view}
          onEdit={() => onEdit(id)}
          onRewind={() => onRewind(id)}
          rewindHint={rewindHint(id)}
          onBranch={() => onBranch(id)}
        />
      ))
    },
    assistant: (message: ChatMessage) => {
      const { id } = message
      if (isHidden(message)) return restore(message)
      return keepVisible(message, (view) => <HistoryActions {...view} onBranch={() => onBranch(id)} />)
    },
  }
}

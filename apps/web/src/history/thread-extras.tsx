import type { ChatMessage } from '@palimpsest/core/domain'
import { HistoryActions, type MessageExtras } from '@palimpsest/ui'
import type { ReactNode } from 'react'

export type ThreadExtrasInput = Pick<MessageExtras, 'before' | 'after' | 'instead'> & {
  onEdit: (messageId: string) => void
  onRewind: (messageId: string) => void
  /** What a rewind to a message would do. */
  rewindHint: (messageId: string) => ReactNode
  onBranch: (messageId: string) => void
}

/** What history adds to messages. Rows of actions are kept, so that a message is not drawn again for the same ones. */
export function createRowActions({
  onEdit,
  onRewind,
  rewindHint,
  onBranch,
}: Omit<ThreadExtrasInput, 'before' | 'after' | 'instead'>) {
  const kept = new Map<string, ReactNode>()
  const keep = (key: string, make: () => ReactNode) => {
    const node = kept.get(key) ?? make()
    kept.set(key, node)
    return node
  }
  return {
    user: ({ id }: ChatMessage) =>
      keep(id, () => (
        <HistoryActions
          onEdit={() => onEdit(id)}
          onRewind={() => onRewind(id)}
          rewindHint={rewindHint(id)}
          onBranch={() => onBranch(id)}
        />
      )),
    assistant: ({ id }: ChatMessage) => keep(id, () => <HistoryActions onBranch={() => onBranch(id)} />),
  }
}

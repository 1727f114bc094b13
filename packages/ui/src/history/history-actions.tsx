import { GitBranch, Pencil, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ToolbarAction } from '../message/toolbar-action.tsx'
import { useMessages } from '../messages/messages-context.tsx'

export type HistoryActionsProps = {
  /** Only of user messages. */
  onEdit?: () => void
  onRewind?: () => void
  /** What a rewind would do; shown beside its name. */
  rewindHint?: ReactNode
  onBranch: () => void
}

/** What can be done to the history at a message: among its actions. */
export function HistoryActions({ onEdit, onRewind, rewindHint, onBranch }: HistoryActionsProps) {
  const { history } = useMessages()
  return (
    <>
      {onEdit && (
        <ToolbarAction icon={<Pencil aria-hidden size={15} />} label={history.edit} onSelect={onEdit} />
      )}
      {onRewind && (
        <ToolbarAction
          icon={<Undo2 aria-hidden size={15} />}
          label={history.rewind}
          hint={rewindHint}
          onSelect={onRewind}
        />
      )}
      <ToolbarAction icon={<GitBranch aria-hidden size={15} />} label={history.branch} onSelect={onBranch} />
    </>
  )
}

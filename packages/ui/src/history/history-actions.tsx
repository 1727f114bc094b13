import { Eye, EyeOff, GitBranch, Pencil, Undo2 } from 'lucide-react'
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
  /** Whether the model reads the message: the action changes that. */
  leftOut: boolean
  onLeaveOut: (leaveOut: boolean) => void
}

/** What can be done to the history at a message: among its actions. */
export function HistoryActions(props: HistoryActionsProps) {
  const { onEdit, onRewind, rewindHint, onBranch, leftOut, onLeaveOut } = props
  const { history } = useMessages()
  const View = leftOut ? Eye : EyeOff
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
      <ToolbarAction
        rare
        icon={<GitBranch aria-hidden size={15} />}
        label={history.branch}
        onSelect={onBranch}
      />
      <ToolbarAction
        rare
        icon={<View aria-hidden size={15} />}
        label={leftOut ? history.bringBack : history.leaveOut}
        onSelect={() => onLeaveOut(!leftOut)}
      />
    </>
  )
}

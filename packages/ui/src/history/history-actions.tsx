import { GitBranch, Pencil, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../primitives/icon-button.tsx'

export type HistoryActionsProps = {
  /** Only of user messages. */
  onEdit?: () => void
  onRewind?: () => void
  /** What a rewind would do; shown beside its name. */
  rewindHint?: ReactNode
  onBranch: () => void
}

/** What can be done to the history at a message: in the row of actions under it. */
export function HistoryActions({ onEdit, onRewind, rewindHint, onBranch }: HistoryActionsProps) {
  const { history } = useMessages()
  return (
    <>
      {onEdit && (
        <IconButton small label={history.edit} onClick={onEdit}>
          <Pencil aria-hidden size={15} />
        </IconButton>
      )}
      {onRewind && (
        <IconButton small label={history.rewind} hint={rewindHint} onClick={onRewind}>
          <Undo2 aria-hidden size={15} />
        </IconButton>
      )}
      <IconButton small label={history.branch} onClick={onBranch}>
        <GitBranch aria-hidden size={15} />
      </IconButton>
    </>
  )
}

import { ConfirmDialog, useMessages } from '@palimpsest/ui'
import { useRef } from 'react'
import type { AskedRewind } from './use-history-commands.ts'

export type RewindDialogProps = {
  /** Null closes it. */
  asked: AskedRewind | null
  onClose: () => void
  onRewind: (messageId: string) => void
}

/** Asks before a rewind that reaches the files of the workspace. */
export function RewindDialog({ asked, onClose, onRewind }: RewindDialogProps) {
  const { ask } = useMessages().history
  const last = useRef(asked)
  // The words stay while the dialog leaves.
  const shown = asked ?? last.current
  last.current = shown
  if (shown === null) return null
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || onClose()}
      title={ask.title}
      description={ask.body(shown.hides, shown.files)}
      confirmLabel={ask.confirm}
      onConfirm={() => onRewind(shown.messageId)}
    />
  )
}

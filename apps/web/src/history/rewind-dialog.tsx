import type { ModelRef } from '@palimpsest/core/domain'
import { ConfirmDialog, useMessages } from '@palimpsest/ui'
import { useRef } from 'react'
import type { AskedRewind } from './use-history-commands.ts'

export type RewindDialogProps = {
  /** Null closes it. */
  asked: AskedRewind | null
  onClose: () => void
  onRewind: (messageId: string) => void
  onReply: (messageId: string, model?: ModelRef) => void
}

/** Asks before a rewind that reaches the files of the workspace, and before another reply that hides later messages. */
export function RewindDialog({ asked, onClose, onRewind, onReply }: RewindDialogProps) {
  const { ask, askAgain } = useMessages().history
  const last = useRef(asked)
  // The words stay while the dialog leaves.
  const shown = asked ?? last.current
  last.current = shown
  if (shown === null) return null
  const { messageId, hides } = shown
  const words =
    shown.type === 'rewind'
      ? { title: ask.title, description: ask.body(hides, shown.files), confirmLabel: ask.confirm }
      : { title: askAgain.title, description: askAgain.body(hides), confirmLabel: askAgain.confirm }
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || onClose()}
      {...words}
      onConfirm={() => (shown.type === 'rewind' ? onRewind(messageId) : onReply(messageId, shown.model))}
    />
  )
}

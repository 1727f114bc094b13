import type { ModelRef } from '@palimpsest/core/domain'
import { ConfirmDialog, useMessages } from '@palimpsest/ui'
import { useRef } from 'react'
import type { AskedReply } from './use-history-commands.ts'

export type ReplyDialogProps = {
  /** Null closes it. */
  asked: AskedReply | null
  onClose: () => void
  onReply: (messageId: string, model?: ModelRef) => void
}

/** Asks before another reply that hides later messages. */
export function ReplyDialog({ asked, onClose, onReply }: ReplyDialogProps) {
  const { askAgain } = useMessages().history
  const last = useRef(asked)
  // The words stay while the dialog leaves.
  const shown = asked ?? last.current
  last.current = shown
  if (shown === null) return null
  const { messageId, hides, model } = shown
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => open || onClose()}
      title={askAgain.title}
      description={askAgain.body(hides)}
      confirmLabel={askAgain.confirm}
      onConfirm={() => onReply(messageId, model)}
    />
  )
}

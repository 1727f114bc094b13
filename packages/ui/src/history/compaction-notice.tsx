import { CircleAlert, FoldVertical, X } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Button } from '../primitives/button.tsx'

export type CompactionNoticeProps =
  | { state: 'running'; auto: boolean }
  | {
      state: 'failed'
      message: string
      onRetry: () => void
      onPrune: () => void
      onNewChat: () => void
      onDismiss: () => void
    }

/** Over the composer: earlier messages are being summarised, or could not be, and what helps then. */
export function CompactionNotice(props: CompactionNoticeProps) {
  const { compaction } = useMessages().history
  if (props.state === 'running') {
    return (
      <p role="status" className="enter flex items-center gap-2 border-line border-b px-4 py-2.5 text-sm">
        <FoldVertical aria-hidden size={15} className="text-rubric" />
        <span className="shine">{props.auto ? compaction.runningAuto : compaction.running}</span>
      </p>
    )
  }
  return (
    <section
      aria-label={compaction.failed}
      className="enter flex flex-wrap items-center gap-x-1 gap-y-1.5 border-line border-b py-1.5 pr-1.5 pl-4"
    >
      <CircleAlert aria-hidden size={15} className="text-danger" />
      <p role="alert" className="min-w-0 grow basis-60 pl-1.5 text-sm">
        <span className="font-medium">{compaction.failed}</span>{' '}
        <span className="text-muted">{props.message}</span>
      </p>
      <Button small variant="quiet" onClick={props.onPrune}>
        {compaction.prune}
      </Button>
      <Button small variant="quiet" onClick={props.onNewChat}>
        {compaction.newChat}
      </Button>
      <Button small onClick={props.onRetry}>
        {compaction.retry}
      </Button>
      <IconButton small label={compaction.dismiss} onClick={props.onDismiss}>
        <X aria-hidden size={15} />
      </IconButton>
    </section>
  )
}

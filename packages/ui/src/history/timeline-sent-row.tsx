import { MessageSquare } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import type { TimelineRowActions } from './timeline-row.tsx'

/** A message of the person's, before which the chat can be looked at and restored. */
export type SentPoint = { pointId: string; at: number; text: string | null }

export type TimelineSentRowProps = Pick<TimelineRowActions, 'onRestoreTo' | 'onPreview'> & {
  point: SentPoint
  last: boolean
}

export function TimelineSentRow({ point, last, onRestoreTo, onPreview }: TimelineSentRowProps) {
  const { timeline } = useMessages().history
  const moment = useFormat().moment(point.at, Date.now())
  return (
    <li className="relative flex gap-3 pb-5">
      {!last && <span aria-hidden className="absolute top-8 bottom-0 left-3.5 w-px bg-line" />}
      <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-wash text-muted">
        <MessageSquare aria-hidden size={15} />
      </span>
      <div className="min-w-0 grow">
        <h3 className="font-medium">{timeline.sent}</h3>
        {point.text !== null && <p className="truncate text-sm text-muted">{point.text}</p>}
        <p className="text-xs text-muted tabular-nums">{moment}</p>
        <div className="-ml-2.5 flex flex-wrap gap-0.5 pt-0.5">
          <Button
            small
            variant="quiet"
            aria-label={timeline.restore(timeline.before.message, moment)}
            onClick={() => onRestoreTo(point.pointId)}
          >
            {timeline.restoreHere}
          </Button>
          <Button small variant="quiet" onClick={() => onPreview(point.pointId)}>
            {timeline.look}
          </Button>
        </div>
      </div>
    </li>
  )
}

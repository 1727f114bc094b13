import { Collapsible } from '@base-ui/react/collapsible'
import type { ChatMessage } from '@palimpsest/core/domain'
import { ChevronRight } from 'lucide-react'
import { messageText } from '../message/message-text.ts'
import type { Messages } from '../messages/en.ts'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { plainText } from '../thread/sentences.ts'
import { OperationIcon } from './operation-icon.tsx'
import { operationFacts, operationName } from './operation-words.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** Why the history was changed at a point. */
export type RestoreReason = keyof Messages['history']['timeline']['before']

export type TimelineRowActions = {
  /** The text of an operation's target message; null when it is not loaded. */
  textOf: (messageId: string) => string | null
  /** Loaded messages that an operation still hides. */
  hiddenBy: (operationId: string) => readonly ChatMessage[]
  onUndo: (entry: TimelineEntry) => void
  /** Why the history changed at an operation, when the state before it can be returned to; null otherwise. */
  reasonOf: (operationId: string) => RestoreReason | null
  /** Returns to the state before an operation, or shows it without a change. */
  onRestoreTo: (operationId: string) => void
  onPreview: (operationId: string) => void
  /** Scrolls to a message in the thread. */
  onGoTo: (messageId: string) => void
  onOpenBranch: (sessionId: string) => void
}

export type TimelineRowProps = TimelineRowActions & { entry: TimelineEntry; last: boolean }

export function TimelineRow({ entry, last, ...actions }: TimelineRowProps) {
  const { timeline } = useMessages().history
  const format = useFormat()
  const { kind, detail, createdAt, canUndo } = entry
  const { targetMessageId, branchId } = detail
  const reason = actions.reasonOf(entry.id)
  const moment = format.moment(createdAt, Date.now())
  const target = targetMessageId === undefined ? null : actions.textOf(targetMessageId)
  return (
    <li className="relative flex gap-3 pb-5">
      {!last && <span aria-hidden className="absolute top-8 bottom-0 left-3.5 w-px bg-line" />}
      <span
        className={cx(
          'flex size-7 shrink-0 items-center justify-center rounded-full',
          canUndo ? 'bg-rubric-wash text-rubric' : 'bg-wash text-muted',
        )}
      >
        <OperationIcon kind={kind} />
      </span>
      <div className="min-w-0 grow">
        <h3 className="font-medium">{operationName(entry, timeline)}</h3>
        {target !== null && <p className="truncate text-sm text-muted">{timeline.at(target)}</p>}
        <p className="flex flex-wrap gap-x-1.5 text-xs text-muted tabular-nums">
          {[...operationFacts(entry, timeline, format), moment].join(' · ')}
        </p>
        <Preview entry={entry} hidden={actions.hiddenBy(entry.id)} />
        {canUndo && reason !== null && (
          <p className="pt-1 text-xs text-muted">{timeline.back(timeline.before[reason], moment)}</p>
        )}
        <div className="-ml-2.5 flex flex-wrap gap-0.5 pt-0.5">
          {canUndo && (
            <Button small variant="quiet" className="text-rubric" onClick={() => actions.onUndo(entry)}>
              {timeline.undo}
            </Button>
          )}
          {!canUndo && reason !== null && (
            <Button
              small
              variant="quiet"
              aria-label={timeline.restore(timeline.before[reason], moment)}
              onClick={() => actions.onRestoreTo(entry.id)}
            >
              {timeline.restoreHere}
            </Button>
          )}
          {reason !== null && (
            <Button small variant="quiet" onClick={() => actions.onPreview(entry.id)}>
              {timeline.look}
            </Button>
          )}
          {targetMessageId !== undefined && (
            <Button small variant="quiet" onClick={() => actions.onGoTo(targetMessageId)}>
              {timeline.goTo}
            </Button>
          )}
          {branchId !== undefined && (
            <Button small variant="quiet" onClick={() => actions.onOpenBranch(branchId)}>
              {timeline.open}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

function Preview({ entry, hidden }: { entry: TimelineEntry; hidden: readonly ChatMessage[] }) {
  const { history, message } = useMessages()
  const { timeline } = history
  if (hidden.length === 0) return null
  const missing = entry.hiddenCount - hidden.length
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group/preview -ml-1 flex min-h-7 items-center gap-1 rounded-md px-1 text-sm text-muted transition hover:text-ink coarse:min-h-11">
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/preview:rotate-90"
        />
        {timeline.preview(hidden.length)}
      </Collapsible.Trigger>
      <Collapsible.Panel className="reveal">
        <ul className="ml-1 space-y-1.5 border-rubric border-l border-dashed py-1 pl-3 text-sm text-faint">
          {hidden.map((hiddenMessage) => (
            <li key={hiddenMessage.id} className="line-clamp-2 wrap-anywhere">
              {hiddenMessage.role === 'user' && <span className="sr-only">{message.you}: </span>}
              <span className={cx(hiddenMessage.role === 'user' && 'font-medium')}>
                {previewOf(hiddenMessage) || message.unnamedFile}
              </span>
            </li>
          ))}
          {missing > 0 && <li>{timeline.more(missing)}</li>}
        </ul>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

/** Characters of a hidden message that a preview reads at most; it shows the first two lines of them. */
const PREVIEW_CHARACTERS = 400

function previewOf(message: ChatMessage): string {
  return plainText(messageText(message).slice(0, PREVIEW_CHARACTERS))
}

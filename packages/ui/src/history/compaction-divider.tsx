import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight, FoldVertical } from 'lucide-react'
import { Markdown } from '../markdown/markdown.tsx'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

export type CompactionDividerProps = {
  /** Messages that the summary replaces; null when the number is unknown. */
  count: number | null
  beforeTokens: number
  afterTokens: number
  summary: string
  createdAt: number
  open: boolean
  onOpenChange: (open: boolean) => void
  /** True while the messages themselves are shown above. */
  originals: boolean
  /** Absent where the messages themselves are not kept, as in a branch. */
  onToggleOriginals?: (() => void) | undefined
  /** Absent when it can't be undone. */
  onUndo?: (() => void) | undefined
}

/** Where earlier messages were summarised: opens to what the model reads instead, and to the messages themselves. */
export function CompactionDivider(props: CompactionDividerProps) {
  const { compaction } = useMessages().history
  const format = useFormat()
  const title = props.count === null ? compaction.summarisedSome : compaction.summarised(props.count)
  return (
    <Collapsible.Root
      open={props.open}
      onOpenChange={(open) => props.onOpenChange(open)}
      className="@container pt-6 pb-1"
    >
      <div className="flex items-center gap-3">
        <span aria-hidden className="h-px grow bg-rubric opacity-40" />
        <Collapsible.Trigger className="group flex min-h-control-small max-w-full items-center gap-2 rounded-full px-3 text-left text-sm text-rubric transition hover:bg-rubric-wash">
          <FoldVertical aria-hidden size={15} />
          <span className="min-w-0">
            {title}{' '}
            <span className="text-muted whitespace-nowrap tabular-nums @max-[32rem]:block">
              <span aria-hidden className="@max-[32rem]:hidden">
                ·{' '}
              </span>
              {compaction.tokens(format.tokens(props.beforeTokens), format.tokens(props.afterTokens))}
            </span>
          </span>
          <ChevronRight aria-hidden size={14} className="transition group-data-panel-open:rotate-90" />
        </Collapsible.Trigger>
        {props.onUndo && (
          <Button small variant="quiet" className="-mx-2 text-rubric" onClick={props.onUndo}>
            {compaction.undo}
          </Button>
        )}
        <span aria-hidden className="h-px grow bg-rubric opacity-40" />
      </div>
      <Collapsible.Panel className="reveal">
        <div className="mt-2 rounded-lg border border-line border-l-2 border-l-rubric bg-raised px-4 py-3">
          <h3 className="text-xs font-medium text-muted">
            {compaction.summary} <span aria-hidden>·</span> {format.moment(props.createdAt, Date.now())}
          </h3>
          <div className="prose-note pt-2">
            <Markdown text={props.summary} streaming={false} />
          </div>
          {props.onToggleOriginals && (
            <Button small className="mt-2" aria-pressed={props.originals} onClick={props.onToggleOriginals}>
              {props.originals ? compaction.hideOriginals : compaction.showOriginals}
            </Button>
          )}
        </div>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

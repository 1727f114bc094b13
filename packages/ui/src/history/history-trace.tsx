import { Undo2 } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

export type HistoryTraceProps = {
  /** Messages that are hidden here. */
  count: number
  /** Whether there are more of them before what is loaded. */
  more?: boolean
  revealed: boolean
  onToggle: () => void
  /** Absent when they can't be restored here. */
  onRestore?: (() => void) | undefined
}

/** A faint line where messages are hidden, with buttons that show and restore them. */
export function HistoryTrace({ count, more = false, revealed, onToggle, onRestore }: HistoryTraceProps) {
  const { trace } = useMessages().history
  return (
    <div className="mt-4 flex items-center gap-2 text-xs">
      <span aria-hidden className="trace-line" />
      <button
        type="button"
        aria-expanded={revealed}
        aria-label={revealed ? trace.hide(count, more) : trace.show(count, more)}
        onClick={onToggle}
        className={cx(
          'flex min-h-6 items-center gap-1.5 rounded-full px-2 transition coarse:min-h-11',
          revealed ? 'text-rubric' : 'text-faint hover:text-rubric',
        )}
      >
        <Undo2 aria-hidden size={13} />
        {trace.hidden(count, more)}
      </button>
      {revealed && onRestore && (
        <button
          type="button"
          onClick={onRestore}
          className="min-h-6 rounded-full px-2 text-rubric underline-offset-2 hover:underline coarse:min-h-11"
        >
          {trace.restore}
        </button>
      )}
      <span aria-hidden className="trace-line" />
    </div>
  )
}

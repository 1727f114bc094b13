import { Check } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import type { ToolState } from './tool-part.ts'

const TONE: Record<ToolState, string> = {
  preparing: 'text-faint',
  running: 'text-muted',
  waiting: 'text-caution',
  done: 'text-faint',
  failed: 'text-danger',
  denied: 'text-danger',
  stopped: 'text-faint',
}

/** The state of a call in a word; `detail` is its duration once it is done. */
export function ToolBadge({ state, detail }: { state: ToolState; detail?: string | undefined }) {
  const { tool } = useMessages()
  const busy = state === 'preparing' || state === 'running'
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1.5 text-xs tabular-nums', TONE[state])}>
      {busy && <Spinner size={13} />}
      {state === 'done' && <Check aria-hidden size={13} className="text-good" />}
      <span className={state === 'done' && detail ? 'sr-only' : ''}>{tool[state]}</span>
      {detail}
    </span>
  )
}

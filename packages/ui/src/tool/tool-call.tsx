import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import type { SeenAs } from './seen-note.tsx'
import { ToolBadge } from './tool-badge.tsx'
import { ToolDetails } from './tool-details.tsx'
import { ToolIcon } from './tool-icon.tsx'
import { type ToolPart, toolName, toolState, toolTarget, toolTitle } from './tool-part.ts'

export type ToolCallProps = {
  part: ToolPart
  /** True while the message is being written. */
  live: boolean
  /** Milliseconds, once it is known. */
  durationMs?: number | undefined
  /** What the model reads of its result. */
  seenAs?: SeenAs | undefined
}

/** Milliseconds above which a line shows how long its call took. */
const SHOWN_MS = 1_000

/** One call in one line; opens to its arguments and result. */
export function ToolCall({ part, live, durationMs, seenAs }: ToolCallProps) {
  const format = useFormat()
  const { tool } = useMessages()
  const state = toolState(part, live)
  const duration = durationMs !== undefined && durationMs > SHOWN_MS ? format.duration(durationMs) : undefined
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group/call flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left transition hover:bg-wash coarse:min-h-11">
        <ToolIcon name={toolName(part)} />
        <span className="shrink-0 text-sm font-medium">{toolTitle(part, tool.titles)}</span>
        <span className="min-w-0 grow truncate font-code text-xs text-muted">{toolTarget(part)}</span>
        <ToolBadge state={state} detail={duration} />
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/call:rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Panel className="reveal">
        <ToolDetails part={part} seenAs={seenAs} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight, Wrench } from 'lucide-react'
import type { ToolCallAt } from '../message/group-parts.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { useDisclosure } from '../primitives/use-disclosure.ts'
import { type ModelViews, modelViewOf } from './model-view-note.tsx'
import { ToolCall } from './tool-call.tsx'
import { useToolStates } from './waiting-calls.ts'

export type ToolGroupProps = {
  calls: readonly ToolCallAt[]
  live: boolean
  /** Milliseconds by part index. */
  durationsMs: Record<string, number>
  /** What the model reads of results. */
  modelViews: ModelViews
}

/** Consecutive calls: one is a line of its own, several fold under "Called 4 tools" once all have ended. */
export function ToolGroup({ calls, live, durationsMs, modelViews }: ToolGroupProps) {
  const { tool } = useMessages()
  const rows = calls.map(({ index, part }) => (
    <ToolCall
      key={part.toolCallId}
      part={part}
      live={live}
      durationMs={durationsMs[index]}
      modelView={modelViewOf(modelViews, part.toolCallId, index)}
    />
  ))
  const stateOf = useToolStates(live)
  const states = calls.map(({ part }) => stateOf(part))
  const running = states.some((state) => state === 'preparing' || state === 'running')
  const waiting = !running && states.includes('waiting')
  const busy = running || waiting
  const [open, choose] = useDisclosure(busy)
  const failures = states.filter((state) => state === 'failed').length
  const denials = states.filter((state) => state === 'denied').length
  if (calls.length === 1) return <div className="-mx-2">{rows}</div>

  return (
    <Collapsible.Root className="-mx-2" open={open} onOpenChange={(next) => choose(next)}>
      <Collapsible.Trigger className="group/calls flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm transition hover:bg-wash coarse:min-h-11">
        {running ? <Spinner size={15} /> : <Wrench aria-hidden size={15} className="text-faint" />}
        <span className="font-medium">
          {running ? tool.calling(calls.length) : tool.called(calls.length)}
        </span>
        {waiting && <span className="text-xs text-caution">{tool.waiting}</span>}
        {failures > 0 && <span className="text-xs text-danger">{tool.failures(failures)}</span>}
        {denials > 0 && <span className="text-xs text-muted">{tool.denials(denials)}</span>}
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/calls:rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Panel className="reveal">
        <div className="ml-3.5 border-line border-l pl-2">{rows}</div>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight, Wrench } from 'lucide-react'
import { visibleText } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { useDisclosure } from '../primitives/use-disclosure.ts'
import { callsSummary } from './calls-summary.ts'
import { DenialLine } from './decision-line.tsx'
import { type ModelViews, modelViewOf } from './model-view-note.tsx'
import { ToolCall } from './tool-call.tsx'
import { type ToolCallAt, toolTarget, toolTitle } from './tool-part.ts'
import { useToolStates } from './waiting-calls.ts'

export type ToolGroupProps = {
  calls: readonly ToolCallAt[]
  live: boolean
  /** Milliseconds by part index. */
  durationsMs: Record<string, number>
  /** What the model reads of results. */
  modelViews: ModelViews
}

/** Consecutive calls: one is a line of its own, several fold under what they have done once all have ended, with refusals in view. */
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
  const denied = calls.filter((_, at) => states[at] === 'denied')
  const ended = calls.filter((_, at) => states[at] === 'done')
  const current = calls.find((_, at) => states[at] === 'preparing' || states[at] === 'running')
  if (calls.length === 1) return <div className="-mx-2">{rows}</div>

  return (
    <Collapsible.Root className="-mx-2" open={open} onOpenChange={(next) => choose(next)}>
      <Collapsible.Trigger className="group/calls flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm transition hover:bg-wash coarse:min-h-11">
        {running ? <Spinner size={15} /> : <Wrench aria-hidden size={15} className="text-faint" />}
        <span className="font-medium">
          {running && current
            ? visibleText(toolTitle(current.part, tool.titles))
            : callsSummary(
                (ended.length > 0 ? ended : calls).map(({ part }) => part),
                tool,
              )}
        </span>
        {waiting && <span className="text-xs text-caution">{tool.waiting}</span>}
        {failures > 0 && <span className="text-xs text-danger">{tool.failures(failures)}</span>}
        {running && current && (
          <span className="min-w-0 truncate font-code text-xs text-muted">
            {visibleText(toolTarget(current.part))}
          </span>
        )}
        {denied.length > 0 && <span className="text-xs text-danger">{tool.denials(denied.length)}</span>}
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/calls:rotate-90"
        />
      </Collapsible.Trigger>
      {!open && denied.map(({ part }) => <DenialLine key={part.toolCallId} part={part} />)}
      <Collapsible.Panel className="reveal">
        <div className="ml-3.5 border-line border-l pl-2">{rows}</div>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { useDisclosure } from '../primitives/use-disclosure.ts'

/** Milliseconds that finished reasoning stays open. */
const CLOSE_DELAY_MS = 1_000

/** Milliseconds under which no duration is shown. */
const BRIEF_MS = 500

export type ReasoningProps = {
  text: string
  streaming: boolean
  /** Milliseconds, once the run has reported them. */
  durationMs?: number | undefined
}

/** Open while it streams, then "Thought for N s"; what the user opened stays open. */
export function Reasoning({ text, streaming, durationMs }: ReasoningProps) {
  const { reasoning } = useMessages()
  const format = useFormat()
  const measured = useElapsed(streaming)
  const [open, choose] = useDisclosure(useDebouncedEnd(streaming, CLOSE_DELAY_MS))
  const took = durationMs ?? measured
  const label = streaming ? reasoning.thinking : thoughtLabel(took)

  function thoughtLabel(ms: number | null): string {
    if (ms === null) return reasoning.thought
    return ms < BRIEF_MS ? reasoning.thoughtBriefly : reasoning.thoughtFor(format.duration(ms))
  }

  return (
    <Collapsible.Root open={open} onOpenChange={(next) => choose(next)}>
      <Collapsible.Trigger className="group/reasoning -mx-2 flex min-h-8 items-center gap-1.5 rounded-md px-2 text-sm text-muted transition hover:bg-wash hover:text-ink coarse:min-h-11">
        <span className={cx(streaming && 'shine')}>{label}</span>
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/reasoning:rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Panel className="reveal">
        <div className="prose-quiet mt-1 mb-2 border-line border-l-2 pl-4">
          <Markdown text={text} streaming={streaming} />
        </div>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

/** Returns the milliseconds that `active` was true, once it has ended; null when it was never true here. */
function useElapsed(active: boolean): number | null {
  const startedAt = useRef<number | null>(null)
  const [elapsed, setElapsed] = useState<number | null>(null)
  useEffect(() => {
    if (active) startedAt.current = performance.now()
    else if (startedAt.current !== null) setElapsed(performance.now() - startedAt.current)
  }, [active])
  return elapsed
}

/** Returns true while `active`, and for `ms` milliseconds after. */
function useDebouncedEnd(active: boolean, ms: number): boolean {
  const [held, setHeld] = useState(active)
  useEffect(() => {
    if (active) {
      setHeld(true)
      return
    }
    const timer = setTimeout(() => setHeld(false), ms)
    return () => clearTimeout(timer)
  }, [active, ms])
  return active || held
}

import { Button, plainOutput, useFormat, visibleText } from '@palimpsest/ui'
import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { agentWords } from '../words/en-agent.ts'
import { LoadFailed } from './load-failed.tsx'
import { useProcessOutput } from './use-process-output.ts'
import type { Process } from './use-processes.ts'

const { processes: words, loading } = agentWords

export type ProcessRowProps = {
  process: Process
  /** The present, epoch milliseconds. */
  now: number
  /** Its output is shown from the start. */
  initiallyOpen: boolean
  onStop: (id: string) => Promise<void>
}

/** A command: what it is, since when it runs or how it ended, its output on request, and Stop. */
export function ProcessRow({ process, now, initiallyOpen, onStop }: ProcessRowProps) {
  const format = useFormat()
  const [open, setOpen] = useState(initiallyOpen)
  const toggle = useRef<HTMLButtonElement>(null)
  const [stopping, setStopping] = useState(false)
  const command = visibleText(process.command)
  const running = process.exit === null

  async function stop(): Promise<void> {
    setStopping(true)
    await onStop(process.id)
    // Stop is gone with what it was for.
    toggle.current?.focus()
    setStopping(false)
  }

  return (
    <li className="border-line border-t py-2">
      <div className="flex items-start gap-2">
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-control min-w-0 grow items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-wash"
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={`mt-0.5 shrink-0 text-faint transition ${open ? 'rotate-90' : ''}`}
          />
          <span className="min-w-0">
            <code className="line-clamp-3 font-code text-sm wrap-anywhere">{command}</code>
            <span className="block text-sm text-muted">
              {stateOf(process, format.duration(Math.max(0, now - process.startedAt)))} ·{' '}
              {words.started(format.moment(process.startedAt, now))}
            </span>
          </span>
        </button>
        {running && (
          <Button small aria-label={words.stopOf(command)} disabled={stopping} onClick={() => void stop()}>
            {stopping ? words.stopping : words.stop}
          </Button>
        )}
      </div>
      {open && <Output process={process} command={command} />}
    </li>
  )
}

function stateOf({ exit }: Process, since: string): string {
  if (exit === null) return words.state.running(since)
  return exit.code === null ? words.state.killed : words.state.exited(exit.code)
}

function Output({ process, command }: { process: Process; command: string }) {
  const { tail, error } = useProcessOutput(process)
  if (tail === null) {
    return error === null ? (
      <p className="px-8 text-sm text-muted">{loading}</p>
    ) : (
      <LoadFailed error={error} />
    )
  }
  const text = plainOutput(tail.text)
  const missing = tail.length - tail.text.length
  return (
    <div className="mt-1 pl-8">
      {missing > 0 && <p className="text-sm text-muted">{words.cut(missing)}</p>}
      {text.trim() === '' ? (
        <p className="text-sm text-muted">{words.noOutput}</p>
      ) : (
        <pre
          ref={toEnd}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={words.outputOf(command)}
          dir="ltr"
          className="max-h-60 overflow-auto rounded-md bg-inset px-3 py-2 font-code text-xs leading-snug text-muted whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      )}
    </div>
  )
}

/** Pixels from the end within which the newest line is followed. */
const FOLLOWED = 24

/** Shows the end, and follows it until a person scrolls away from it. */
function toEnd(output: HTMLElement | null): (() => void) | undefined {
  if (output === null) return undefined
  let atEnd = true
  const follow = () => {
    if (atEnd) output.scrollTop = output.scrollHeight
  }
  const note = () => {
    atEnd = output.scrollHeight - output.scrollTop - output.clientHeight < FOLLOWED
  }
  follow()
  const changes = new MutationObserver(follow)
  changes.observe(output, { childList: true, characterData: true, subtree: true })
  output.addEventListener('scroll', note, { passive: true })
  return () => {
    changes.disconnect()
    output.removeEventListener('scroll', note)
  }
}

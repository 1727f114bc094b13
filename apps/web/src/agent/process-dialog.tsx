import { Dialog } from '@palimpsest/ui'
import { useEffect, useState } from 'react'
import { agentWords } from '../words/en-agent.ts'
import { LoadFailed } from './load-failed.tsx'
import { ProcessRow } from './process-row.tsx'
import type { useProcesses } from './use-processes.ts'

const { processes: words, loading } = agentWords

export type ProcessDialogProps = {
  processes: ReturnType<typeof useProcesses>
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The commands that a chat has in the background, those that run first. */
export function ProcessDialog({ processes, open, onOpenChange }: ProcessDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={words.lead}
      closable
      place="top"
      className="max-w-[42rem]"
    >
      <div className="overflow-y-auto p-5">
        <Processes processes={processes} />
      </div>
    </Dialog>
  )
}

function Processes({ processes: { processes, error, retry, stop } }: Pick<ProcessDialogProps, 'processes'>) {
  const now = useNow()
  if (processes === null)
    return error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{loading}</p>
  if (processes.length === 0) {
    return (
      <p>
        {words.empty} <span className="text-muted">{words.emptyHint}</span>
      </p>
    )
  }
  const running = processes.filter(({ exit }) => exit === null)
  const ended = processes.filter(({ exit }) => exit !== null)
  return (
    <ul aria-label={words.title}>
      {[...running, ...ended].map((process, at) => (
        <ProcessRow key={process.id} process={process} now={now} initiallyOpen={at === 0} onStop={stop} />
      ))}
    </ul>
  )
}

/** The present in steps of a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

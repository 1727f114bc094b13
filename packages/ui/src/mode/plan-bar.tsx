import type { PermissionMode } from '@palimpsest/core/domain'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

/** The modes that a plan can be carried out in from here. */
const RUNS = ['ask', 'accept-edits'] as const satisfies readonly PermissionMode[]

export type PlanBarProps = {
  onRun: (mode: (typeof RUNS)[number]) => void
  onKeepPlanning: () => void
}

/** Over the composer once a reply of the mode `plan` has ended: carry the plan out, in which mode, or go on planning. */
export function PlanBar({ onRun, onKeepPlanning }: PlanBarProps) {
  const { mode: words } = useMessages()
  const [mode, setMode] = useState<(typeof RUNS)[number]>('ask')
  return (
    <section
      aria-label={words.planReady}
      className="flex flex-wrap items-center justify-end gap-2 border-line border-b px-3 py-2"
    >
      <p className="grow text-sm text-muted">{words.planReady}</p>
      <Button small variant="quiet" className="coarse:h-11" onClick={onKeepPlanning}>
        {words.keepPlanning}
      </Button>
      <select
        aria-label={words.approveIn}
        value={mode}
        onChange={({ target }) => setMode(RUNS.find((one) => one === target.value) ?? 'ask')}
        className="h-control-small rounded-md border border-line-strong bg-raised px-1.5 text-sm coarse:h-11"
      >
        {RUNS.map((one) => (
          <option key={one} value={one}>
            {words.names[one]}
          </option>
        ))}
      </select>
      <Button small variant="primary" className="coarse:h-11" onClick={() => onRun(mode)}>
        {words.approve}
      </Button>
    </section>
  )
}

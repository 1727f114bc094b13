import { EyeOff, Undo2 } from 'lucide-react'
import { ToolbarAction } from '../message/toolbar-action.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

/** Stays over hidden messages while they are read. */
export function HiddenHeader({ onRestore }: { onRestore: () => void }) {
  const { trace } = useMessages().history
  return (
    <div className="hidden-header z-10">
      <p className="mx-auto flex max-w-column items-center gap-2 px-4 text-sm text-rubric md:px-0">
        <EyeOff aria-hidden size={14} />
        {trace.header}
        <span aria-hidden className="text-ghost">
          ·
        </span>
        <Button
          small
          variant="quiet"
          aria-label={trace.restoreHidden}
          className="-ml-2.5 text-rubric"
          onClick={onRestore}
        >
          {trace.restore}
        </Button>
      </p>
    </div>
  )
}

/** The one thing beside copying that can be done with a hidden message. */
export function RestoreHidden({ onRestore }: { onRestore: () => void }) {
  const { trace } = useMessages().history
  return (
    <ToolbarAction icon={<Undo2 aria-hidden size={15} />} label={trace.restoreHidden} onSelect={onRestore} />
  )
}

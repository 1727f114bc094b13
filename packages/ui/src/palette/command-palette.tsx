import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import type { PaletteCommand } from './palette-command.ts'
import { PalettePanel } from './palette-panel.tsx'

export type CommandPaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  commands: readonly PaletteCommand[]
  /** Called with the query, for results that are searched elsewhere and come back as commands. */
  onQueryChange?: (query: string) => void
}

/** Everything by name: type, move with the arrows, Enter. */
export function CommandPalette({ open, onOpenChange, commands, onQueryChange }: CommandPaletteProps) {
  const { palette } = useMessages()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={palette.label}
      hideTitle
      place="top"
      className="max-w-[36rem] overflow-hidden"
    >
      <PalettePanel commands={commands} onQueryChange={onQueryChange} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../primitives/dialog.tsx'
import { PalettePanel } from './palette-panel.tsx'

export type PaletteCommand = {
  id: string
  label: string
  /** Heading that it stands under. */
  group: string
  /** Shortcut as in `mod+shift+o`. */
  keys?: string
  icon?: ReactNode
  /** Other words that find it. */
  keywords?: string
  onRun: () => void
}

export type CommandPaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  commands: readonly PaletteCommand[]
  /** Told what is typed, for results that are searched elsewhere and come back as commands. */
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

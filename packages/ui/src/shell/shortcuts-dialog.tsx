import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { type ShortcutGroup, ShortcutList } from './shortcut-list.tsx'

export type ShortcutsDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  groups: readonly ShortcutGroup[]
}

/** Lists every shortcut that works. */
export function ShortcutsDialog({ open, onOpenChange, groups }: ShortcutsDialogProps) {
  const { shortcuts } = useMessages()
  return (
    <Dialog
      closable
      open={open}
      onOpenChange={onOpenChange}
      title={shortcuts.title}
      className="max-w-[40rem]"
    >
      <ShortcutList groups={groups} className="overflow-y-auto p-5" />
    </Dialog>
  )
}

import { useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../primitives/dialog.tsx'
import { Kbd } from '../primitives/kbd.tsx'

export type ShortcutGroup = {
  label: string
  /** `keys` as in `mod+shift+o`. */
  shortcuts: readonly { keys: string; label: string }[]
}

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
      <div className="grid gap-x-8 gap-y-5 overflow-y-auto p-5 md:grid-cols-2">
        {groups.map((group) => (
          <section key={group.label}>
            <h3 className="mb-1 text-xs font-medium text-faint">{group.label}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div
                  key={shortcut.keys}
                  className="flex items-center justify-between gap-3 border-line border-t py-1.5"
                >
                  <dt className="text-muted">{shortcut.label}</dt>
                  <dd>
                    <Kbd keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

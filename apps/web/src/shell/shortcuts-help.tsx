import { ShortcutsDialog, type ShortcutsDialogProps } from '@palimpsest/ui'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { shortcutGroups } from '../stores/shortcut-groups.ts'

export type ShortcutsHelpProps = Omit<ShortcutsDialogProps, 'groups'>

/** Every shortcut that works with the chosen send key. */
export function ShortcutsHelp(props: ShortcutsHelpProps) {
  const sendKey = useStore(useApp().sendKey)
  return <ShortcutsDialog {...props} groups={shortcutGroups(sendKey)} />
}

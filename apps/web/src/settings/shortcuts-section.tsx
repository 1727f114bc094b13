import { ShortcutList } from '@palimpsest/ui'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { shortcutGroups } from '../stores/shortcut-groups.ts'

/** Every shortcut that works, as the help lists them. */
export function ShortcutsSection() {
  const sendKey = useStore(useApp().sendKey)
  return <ShortcutList groups={shortcutGroups(sendKey)} />
}

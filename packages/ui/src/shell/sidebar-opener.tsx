import { SidebarToggle } from './sidebar-toggle.tsx'
import { useShell } from './use-shell.tsx'

/** A button that opens the sidebar, where the sidebar is hidden. */
export function SidebarOpener() {
  const shell = useShell()
  return shell && (shell.narrow || !shell.sidebarVisible) ? <SidebarToggle /> : null
}

import { SidebarToggle } from './sidebar-toggle.tsx'
import { useShell } from './use-shell.tsx'

/** The way to the sidebar, on pages beside which it is not to be seen. */
export function SidebarOpener() {
  const shell = useShell()
  return shell && (shell.narrow || !shell.sidebarVisible) ? <SidebarToggle /> : null
}

import { PanelLeft } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { useShell } from './use-shell.tsx'

/** Opens or closes the sidebar of the shell around it. */
export function SidebarToggle({ className }: { className?: string }) {
  const { sidebar } = useMessages()
  const shell = useShell()
  if (!shell) return null
  return (
    <IconButton
      label={shell.sidebarVisible ? sidebar.close : sidebar.open}
      hint={<Kbd keys="mod+shift+s" />}
      tooltipSide="bottom"
      className={className}
      aria-expanded={shell.sidebarVisible}
      onClick={shell.toggleSidebar}
    >
      <PanelLeft aria-hidden size={17} />
    </IconButton>
  )
}

/** A button that opens the sidebar, where the sidebar is hidden. */
export function SidebarOpener() {
  const shell = useShell()
  if (!shell) return null
  if (shell.narrow || !shell.sidebarVisible) return <SidebarToggle />
  return shell.narrow === null ? <SidebarToggle className="md:hidden" /> : null
}

/** The bar of a page without a title; it has only the button that opens the sidebar. */
export function BareBar() {
  return (
    <div className="flex h-header shrink-0 items-center px-3">
      <SidebarOpener />
    </div>
  )
}

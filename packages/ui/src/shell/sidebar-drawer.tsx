import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import type { Shell } from './use-shell.tsx'

/** The sidebar of narrow screens: slides over the page, closes on Esc and on a tap beside it. */
export function SidebarDrawer({ shell, children }: { shell: Shell; children: ReactNode }) {
  const { sidebar } = useMessages()
  return (
    <Dialog.Root open={shell.sidebarVisible} onOpenChange={(open) => !open && shell.closeDrawer()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim fixed inset-0 z-30" />
        <Dialog.Popup className="drawer fixed inset-y-0 left-0 z-30 w-[min(20rem,86vw)] bg-sunken shadow-popup">
          <Dialog.Title className="sr-only">{sidebar.label}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

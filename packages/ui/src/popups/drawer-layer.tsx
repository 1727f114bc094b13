import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import type { Shell } from '../shell/use-shell.tsx'

export type DrawerLayerProps = { shell: Shell; label: string; children: ReactNode }

export function DrawerLayer({ shell, label, children }: DrawerLayerProps) {
  return (
    <Dialog.Root open={shell.sidebarVisible} onOpenChange={(open) => !open && shell.closeDrawer()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim fixed inset-0 z-30" />
        <Dialog.Popup className="drawer fixed inset-y-0 left-0 z-30 w-[min(20rem,86vw)] bg-sunken shadow-popup">
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

export type DrawerLayerProps = { open: boolean; onClose: () => void; label: string; children: ReactNode }

export function DrawerLayer({ open, onClose, label, children }: DrawerLayerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
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

import type { ReactNode } from 'react'
import { useLazy } from '../lazy/use-lazy.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { popupLayers } from '../popups/popup-layers.ts'
import type { Shell } from './use-shell.tsx'

export type SidebarDrawerProps = { shell: Shell; children: ReactNode }

/** The sidebar of narrow screens: slides over the page, closes on Esc and on a tap beside it. */
export function SidebarDrawer({ shell, children }: SidebarDrawerProps) {
  const { sidebar } = useMessages()
  const layers = useLazy(popupLayers, shell.sidebarVisible)
  return (
    layers && (
      <layers.DrawerLayer open={shell.sidebarVisible} onClose={shell.closeDrawer} label={sidebar.label}>
        {children}
      </layers.DrawerLayer>
    )
  )
}

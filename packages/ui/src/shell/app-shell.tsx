import { type ReactNode, useEffect } from 'react'
import { fileViewer } from '../files/file-parts.tsx'
import { preloadOnInteraction } from '../lazy/preload-on-interaction.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { meterParts } from '../meter/meter-parts.ts'
import { modelPanel } from '../model/model-picker.tsx'
import { popupLayers } from '../popups/popup-layers.ts'
import { cx } from '../primitives/cx.ts'
import { SidebarDrawer } from './sidebar-drawer.tsx'
import { toastLayer } from './toast-region.tsx'
import { useHarmlessDrops } from './use-harmless-drops.ts'
import { type Shell, ShellContext } from './use-shell.tsx'

const MAIN_ID = 'main'

export type AppShellProps = {
  shell: Shell
  sidebar: ReactNode
  /** Over the page, such as a `ConnectionBanner`. */
  banner?: ReactNode
  children: ReactNode
}

/** The frame of every page: skip link, sidebar or drawer, and the main region, which fills the window. */
export function AppShell({ shell, sidebar, banner, children }: AppShellProps) {
  const { app } = useMessages()
  useEffect(() => preloadOnInteraction([popupLayers, toastLayer, modelPanel, meterParts, fileViewer]), [])
  useHarmlessDrops()
  return (
    <ShellContext value={shell}>
      <a
        href={`#${MAIN_ID}`}
        className="sr-only z-50 rounded-md bg-ink px-4 py-2 text-inverse focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {app.skipToContent}
      </a>
      <div className="fixed inset-0 flex bg-paper">
        {shell.narrow ? (
          <SidebarDrawer shell={shell}>{sidebar}</SidebarDrawer>
        ) : (
          <div
            inert={!shell.sidebarVisible}
            data-sidebar={shell.sidebarVisible ? 'open' : 'closed'}
            className={cx(
              'shrink-0 overflow-hidden border-line bg-sunken transition-[width] duration-(--duration-slow) ease-out max-md:hidden',
              shell.sidebarVisible ? 'w-sidebar border-r' : 'w-0',
            )}
          >
            <div className="h-full w-sidebar">{sidebar}</div>
          </div>
        )}
        <main id={MAIN_ID} tabIndex={-1} className="relative flex min-w-0 grow flex-col outline-none">
          {banner}
          {children}
        </main>
      </div>
    </ShellContext>
  )
}

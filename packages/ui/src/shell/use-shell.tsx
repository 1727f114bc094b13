import { createContext, use, useCallback, useMemo, useState } from 'react'
import { useMediaQuery } from '../primitives/use-media-query.ts'

/** Below this width the sidebar is a drawer. */
const NARROW = '(width < 48rem)'

/** Where the sidebar is: beside the page or, on narrow screens, in a drawer over it. */
export type Shell = {
  /** Null until the width of the window is known: then only media queries of the style sheet decide. */
  narrow: boolean | null
  sidebarVisible: boolean
  toggleSidebar(): void
  /** Closes the drawer of a narrow screen; beside the page the sidebar stays. */
  closeDrawer(): void
}

export type ShellOptions = {
  collapsed: boolean
  onCollapsedChange: (collapsed: boolean) => void
}

/** State of the shell; the page stores `collapsed` with the preferences. */
export function useShellState({ collapsed, onCollapsedChange }: ShellOptions): Shell {
  const narrow = useMediaQuery(NARROW, null)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const toggleSidebar = useCallback(() => {
    if (narrow) setDrawerOpen((open) => !open)
    else onCollapsedChange(!collapsed)
  }, [narrow, collapsed, onCollapsedChange])
  const closeDrawer = useCallback(() => setDrawerOpen(false), [])
  const sidebarVisible = narrow ? drawerOpen : !collapsed
  return useMemo(
    () => ({ narrow, sidebarVisible, toggleSidebar, closeDrawer }),
    [narrow, sidebarVisible, toggleSidebar, closeDrawer],
  )
}

export const ShellContext = createContext<Shell | null>(null)

/** The shell around this component, or null outside one. */
export function useShell(): Shell | null {
  return use(ShellContext)
}

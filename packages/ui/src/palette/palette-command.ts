import type { ReactNode } from 'react'

export type PaletteCommand = {
  id: string
  label: string
  /** Heading of its group. */
  group: string
  /** Shortcut as in `mod+shift+o`. */
  keys?: string
  icon?: ReactNode
  /** More text that a search matches. */
  keywords?: string
  onRun: () => void
}

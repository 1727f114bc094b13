import type { ReactNode } from 'react'

export type PaletteCommand = {
  id: string
  label: string
  /** Heading that it stands under. */
  group: string
  /** Shortcut as in `mod+shift+o`. */
  keys?: string
  icon?: ReactNode
  /** Other words that find it. */
  keywords?: string
  onRun: () => void
}

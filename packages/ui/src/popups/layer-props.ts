import type { ReactNode, RefObject } from 'react'

/** What every layer over the page takes. */
export type LayerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What it stands beside. */
  anchor: RefObject<HTMLElement | null>
  children: ReactNode
}

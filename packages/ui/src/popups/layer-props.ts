import type { ReactNode, RefObject } from 'react'

/** Props of every layer over the page. */
export type LayerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The element that it is placed beside. */
  anchor: RefObject<HTMLElement | null>
  children: ReactNode
}

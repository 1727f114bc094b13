import type { ReactNode, RefObject } from 'react'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Hides the title visually; it stays the accessible name. */
  hideTitle?: boolean
  description?: string
  /** A button in its corner closes it, where nothing else inside does. */
  closable?: boolean
  /** `top` keeps the place of a growing list steady. */
  place?: 'centre' | 'top'
  initialFocus?: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

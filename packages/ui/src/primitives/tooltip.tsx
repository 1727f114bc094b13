import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

export type TooltipProps = {
  content: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The element that is explained; it keeps its own accessible name. */
  children: ReactElement
}

/** Explains a control on hover and on focus. */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={450} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="pointer-events-none z-50">
          <Base.Popup className="popup max-w-64 px-2.5 py-1.5 text-xs text-muted">{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

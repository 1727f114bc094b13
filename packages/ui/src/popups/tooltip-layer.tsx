import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode, RefObject } from 'react'

export type TooltipLayerProps = {
  open: boolean
  anchor: RefObject<HTMLElement | null>
  side: 'top' | 'bottom' | 'left' | 'right'
  children: ReactNode
}

export function TooltipLayer({ open, anchor, side, children }: TooltipLayerProps) {
  return (
    <Base.Root open={open}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} className="pointer-events-none z-50">
          <Base.Popup className="popup max-w-64 px-2.5 py-1.5 text-xs text-muted">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

import { Tooltip as Base } from '@base-ui/react/tooltip'
import { type ReactElement, type ReactNode, useState } from 'react'

export type TooltipProps = {
  content: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The element that is explained; it keeps its own accessible name. */
  children: ReactElement
}

/** Explains a control on hover and on focus. */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        setOpen(next)
        if (details.reason !== 'escape-key') return
        // The tooltip goes, and the key still reaches what it is for, such as stopping a reply.
        details.cancel()
        details.allowPropagation()
      }}
    >
      <Base.Trigger render={children} delay={450} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="pointer-events-none z-50">
          <Base.Popup className="popup max-w-64 px-2.5 py-1.5 text-xs text-muted">{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

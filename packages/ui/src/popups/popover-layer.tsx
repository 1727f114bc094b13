import { Popover as Base } from '@base-ui/react/popover'
import { type ReactNode, type RefObject, useRef } from 'react'
import { cx } from '../primitives/cx.ts'

/** Props of every layer over the page. */
export type LayerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The element that it is placed beside. */
  anchor: RefObject<HTMLElement | null>
  children: ReactNode
}

export type PopoverLayerProps = LayerProps & {
  label: string
  side: 'top' | 'bottom'
  align: 'start' | 'center' | 'end'
  className?: string | undefined
  reading: boolean
}

export function PopoverLayer(props: PopoverLayerProps) {
  const { open, onOpenChange, anchor, label, side, align, className, reading, children } = props
  const panel = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason, event }) => {
        // A press on the trigger closes by its own click.
        const onTrigger = event.target instanceof Node && anchor.current?.contains(event.target)
        if (reason !== 'outside-press' || !onTrigger) onOpenChange(next)
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup
            ref={panel}
            {...(reading && { initialFocus: panel })}
            aria-label={label}
            className={cx('popup', className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

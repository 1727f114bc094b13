import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { useLazy } from '../lazy/use-lazy.ts'
import { popupLayers } from '../popups/popup-layers.ts'
import { triggerProps } from '../primitives/trigger-props.ts'
import { withProps } from '../primitives/with-props.ts'

export type PopoverProps = {
  trigger: ReactElement
  label: string
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  side?: 'top' | 'bottom'
  align?: 'start' | 'center' | 'end'
  className?: string
  /** Begins at its top, for what is read; else the first control inside takes the focus. */
  reading?: boolean
}

/** A small panel beside its trigger; Esc closes it and focus returns. */
export function Popover(props: PopoverProps) {
  const { trigger, label, children, onOpenChange, side = 'top', align = 'start', className } = props
  const [own, setOwn] = useState(false)
  const open = props.open ?? own
  const anchor = useRef<HTMLElement>(null)
  const layers = useLazy(popupLayers, open)
  const change = (next: boolean) => {
    setOwn(next)
    onOpenChange?.(next)
  }
  return (
    <>
      {withProps(trigger, { ...triggerProps('dialog', anchor, open), onClick: () => change(!open) })}
      {layers && (
        <layers.PopoverLayer
          open={open}
          onOpenChange={change}
          anchor={anchor}
          label={label}
          side={side}
          align={align}
          className={className}
          reading={props.reading ?? false}
        >
          {children}
        </layers.PopoverLayer>
      )}
    </>
  )
}

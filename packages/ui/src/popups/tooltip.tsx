import { type FocusEvent, type PointerEvent, type ReactElement, type ReactNode, useRef } from 'react'
import { useLazy } from '../lazy/use-lazy.ts'
import { popupLayers } from '../popups/popup-layers.ts'
import { useTooltipOpen } from '../primitives/use-tooltip-open.ts'
import { withProps } from '../primitives/with-props.ts'

export type TooltipProps = {
  content: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The element that is explained; it keeps its own accessible name. */
  children: ReactElement
}

/** Explains a control on hover and on focus, unless what it opens is open: that says more. */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null)
  const { open, showSoon, show, hide } = useTooltipOpen()
  const layers = useLazy(popupLayers, open)
  const control = withProps(children, {
    ref: anchor,
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent) =>
      pointerType !== 'touch' && currentTarget.getAttribute('aria-expanded') !== 'true' && showSoon(),
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: ({ target }: FocusEvent) => target.matches(':focus-visible') && show(),
    onBlur: hide,
    onClick: hide,
  })
  return (
    <>
      {control}
      {layers && (
        <layers.TooltipLayer open={open} anchor={anchor} side={side}>
          {content}
        </layers.TooltipLayer>
      )}
    </>
  )
}

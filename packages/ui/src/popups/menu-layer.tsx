import { Menu as Base } from '@base-ui/react/menu'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../primitives/cx.ts'
import type { LayerProps } from './popover-layer.tsx'

export type MenuItemProps = {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export type SubMenuProps = {
  icon?: ReactNode
  label: string
  children: ReactNode
}

const ITEM =
  'flex min-h-8 coarse:min-h-11 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1 text-base outline-none select-none data-highlighted:bg-wash-strong data-popup-open:bg-wash data-disabled:opacity-45'

export type MenuLayerProps = LayerProps & {
  side: 'top' | 'bottom'
  align: 'start' | 'center' | 'end'
  /** Opened by a key, so that one of its items takes the focus at once. */
  byKey: 'first' | 'last' | null
}

export function MenuLayer({ open, onOpenChange, anchor, children, side, align, byKey }: MenuLayerProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Popup side={side} align={align} anchor={anchor}>
        {byKey && <FocusItem which={byKey} />}
        {children}
      </Popup>
    </Base.Root>
  )
}

/** Moves the focus to an item of the open menu, once. */
function FocusItem({ which }: { which: 'first' | 'last' }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const items = [...(mark.current?.parentElement?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
      items.at(which === 'first' ? 0 : -1)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [which])
  return <span ref={mark} hidden />
}

export function MenuLayerItem({ icon, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className={cx(ITEM, danger && 'text-danger')} onClick={onSelect}>
      {icon}
      {children}
    </Base.Item>
  )
}

export function MenuLayerSeparator() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />
}

export function SubMenuLayer({ icon, label, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={ITEM}>
        {icon}
        <span className="grow">{label}</span>
        <ChevronRight aria-hidden size={14} className="text-faint" />
      </Base.SubmenuTrigger>
      <Popup align="start">{children}</Popup>
    </Base.SubmenuRoot>
  )
}

type PopupProps = Partial<Pick<MenuLayerProps, 'side' | 'anchor'>> &
  Pick<MenuLayerProps, 'align'> & { children: ReactNode }

function Popup({ side, align, anchor, children }: PopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner
        {...(side && { side })}
        {...(anchor && { anchor })}
        align={align}
        sideOffset={4}
        className="z-50"
      >
        <Base.Popup className="popup max-h-(--available-height) min-w-44 max-w-(--available-width) overflow-y-auto p-1">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

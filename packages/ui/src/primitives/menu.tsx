import { Menu as Base } from '@base-ui/react/menu'
import { ChevronRight } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'

const ITEM =
  'flex min-h-8 coarse:min-h-11 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1 text-base outline-none select-none data-highlighted:bg-wash-strong data-popup-open:bg-wash data-disabled:opacity-45'

export type MenuProps = {
  trigger: ReactElement
  children: ReactNode
  side?: 'top' | 'bottom'
  align?: 'start' | 'center' | 'end'
}

/** A menu behind a button; focus returns to the button. */
export function Menu({ trigger, children, side = 'bottom', align = 'end' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <MenuPopup side={side} align={align}>
        {children}
      </MenuPopup>
    </Base.Root>
  )
}

export type MenuItemProps = {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className={cx(ITEM, danger && 'text-danger')} onClick={onSelect}>
      {icon}
      {children}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />
}

export type SubMenuProps = {
  icon?: ReactNode
  label: string
  children: ReactNode
}

export function SubMenu({ icon, label, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={ITEM}>
        {icon}
        <span className="grow">{label}</span>
        <ChevronRight aria-hidden size={14} className="text-faint" />
      </Base.SubmenuTrigger>
      <MenuPopup align="start">{children}</MenuPopup>
    </Base.SubmenuRoot>
  )
}

type MenuPopupProps = {
  side?: 'top' | 'bottom'
  align: 'start' | 'center' | 'end'
  children: ReactNode
}

function MenuPopup({ side, align, children }: MenuPopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner {...(side && { side })} align={align} sideOffset={4} className="z-50">
        <Base.Popup className="popup max-h-(--available-height) min-w-44 overflow-y-auto p-1">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { useLazy } from '../lazy/use-lazy.ts'
import type { MenuItemProps, SubMenuProps } from '../popups/menu-layer.tsx'
import { popupLayers } from '../popups/popup-layers.ts'
import { triggerProps } from '../primitives/trigger-props.ts'
import { withProps } from '../primitives/with-props.ts'

export type MenuProps = {
  trigger: ReactElement
  children: ReactNode
  side?: 'top' | 'bottom'
  align?: 'start' | 'center' | 'end'
}

type Opened = { byKey: 'first' | 'last' | null }

/** A menu behind a button; focus returns to the button. */
export function Menu({ trigger, children, side = 'bottom', align = 'end' }: MenuProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const anchor = useRef<HTMLElement>(null)
  const layers = useLazy(popupLayers, opened !== null)
  const button = withProps(trigger, {
    ...triggerProps('menu', anchor, opened !== null),
    onClick: ({ detail }: MouseEvent) => setOpened({ byKey: detail === 0 ? 'first' : null }),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      setOpened({ byKey: event.key === 'ArrowDown' ? 'first' : 'last' })
    },
  })
  return (
    <>
      {button}
      {layers && (
        <layers.MenuLayer
          open={opened !== null}
          onOpenChange={(open) => setOpened(open ? { byKey: null } : null)}
          anchor={anchor}
          side={side}
          align={align}
          byKey={opened?.byKey ?? null}
        >
          {children}
        </layers.MenuLayer>
      )}
    </>
  )
}

export function MenuItem(props: MenuItemProps) {
  const layers = useLazy(popupLayers)
  return layers && <layers.MenuLayerItem {...props} />
}

export function MenuSeparator() {
  const layers = useLazy(popupLayers)
  return layers && <layers.MenuLayerSeparator />
}

export function SubMenu(props: SubMenuProps) {
  const layers = useLazy(popupLayers)
  return layers && <layers.SubMenuLayer {...props} />
}

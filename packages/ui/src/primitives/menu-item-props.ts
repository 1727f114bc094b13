import type { ReactNode } from 'react'

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

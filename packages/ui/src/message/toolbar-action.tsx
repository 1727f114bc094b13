import { createContext, type ReactNode, use } from 'react'
import { IconButton } from '../popups/icon-button.tsx'
import { MenuItem } from '../popups/menu.tsx'

/**
 * Where the actions of a message are drawn: all in a row of buttons or in a menu, or those of every day in a short row and the
 * rare ones in the menu behind it.
 */
export type ToolbarPlace = 'row' | 'menu' | 'short-row' | 'rest'

export const ToolbarPlaceContext = createContext<ToolbarPlace>('row')

export type ToolbarActionProps = {
  icon: ReactNode
  label: string
  /** Shown beside the label, such as what the action would hide. */
  hint?: ReactNode
  onSelect: () => void
  /** Not for every day: in the menu even where there is space. */
  rare?: boolean
}

/** An action on a message: a button in the row under it, or an item of its menu. */
export function ToolbarAction({ icon, label, hint, onSelect, rare = false }: ToolbarActionProps) {
  const place = use(ToolbarPlaceContext)
  if (place === (rare ? 'short-row' : 'rest')) return null
  if (place === 'menu' || place === 'rest') {
    return (
      <MenuItem icon={icon} onSelect={onSelect}>
        <span className="grow">{label}</span>
        {hint !== undefined && <span className="text-xs">{hint}</span>}
      </MenuItem>
    )
  }
  return (
    <IconButton small label={label} {...(hint !== undefined && { hint })} onClick={onSelect}>
      {icon}
    </IconButton>
  )
}

import { createContext, type ReactNode, use } from 'react'
import { IconButton } from '../popups/icon-button.tsx'
import { MenuItem } from '../popups/menu.tsx'

/** True inside the menu that holds the actions of a message where there is no space for a row of buttons. */
export const InToolbarMenu = createContext(false)

export type ToolbarActionProps = {
  icon: ReactNode
  label: string
  /** Shown beside the label, such as what the action would hide. */
  hint?: ReactNode
  onSelect: () => void
}

/** An action on a message: a button in the row under it, or an item of its menu. */
export function ToolbarAction({ icon, label, hint, onSelect }: ToolbarActionProps) {
  if (use(InToolbarMenu)) {
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

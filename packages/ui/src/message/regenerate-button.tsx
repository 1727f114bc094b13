import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { RefreshCw, Replace } from 'lucide-react'
import { use } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu, MenuItem, SubMenu } from '../popups/menu.tsx'
import { ToolbarAction, ToolbarPlaceContext } from './toolbar-action.tsx'

export type RegenerateButtonProps = {
  models: readonly ModelInfo[]
  onRegenerate: (model?: ModelRef) => void
}

/** Asks for another reply, by the same or another model. */
export function RegenerateButton({ models, onRegenerate }: RegenerateButtonProps) {
  const { message } = useMessages()
  const icon = <RefreshCw aria-hidden size={15} />
  const place = use(ToolbarPlaceContext)
  const same = <ToolbarAction icon={icon} label={message.regenerate} onSelect={() => onRegenerate()} />
  if (place === 'rest') return null
  if (models.length < 2) return same
  const others = (
    <SubMenu icon={<Replace aria-hidden size={15} />} label={message.regenerateWith}>
      {models.map(({ providerId, modelId, label }) => (
        <MenuItem key={`${providerId}/${modelId}`} onSelect={() => onRegenerate({ providerId, modelId })}>
          {label}
        </MenuItem>
      ))}
    </SubMenu>
  )
  if (place === 'menu') {
    return (
      <>
        {same}
        {others}
      </>
    )
  }
  return (
    <Menu
      align="start"
      trigger={
        <IconButton small label={message.regenerate}>
          {icon}
        </IconButton>
      }
    >
      <ToolbarPlaceContext value="menu">{same}</ToolbarPlaceContext>
      {others}
    </Menu>
  )
}

import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { RefreshCw, Replace } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../primitives/icon-button.tsx'
import { Menu, MenuItem, SubMenu } from '../primitives/menu.tsx'

export type RegenerateButtonProps = {
  models: readonly ModelInfo[]
  onRegenerate: (model?: ModelRef) => void
}

/** Asks for another reply, by the same or another model. */
export function RegenerateButton({ models, onRegenerate }: RegenerateButtonProps) {
  const { message } = useMessages()
  const icon = <RefreshCw aria-hidden size={15} />
  if (models.length < 2) {
    return (
      <IconButton small label={message.regenerate} onClick={() => onRegenerate()}>
        {icon}
      </IconButton>
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
      <MenuItem icon={icon} onSelect={() => onRegenerate()}>
        {message.regenerate}
      </MenuItem>
      <SubMenu icon={<Replace aria-hidden size={15} />} label={message.regenerateWith}>
        {models.map(({ providerId, modelId, label }) => (
          <MenuItem key={`${providerId}/${modelId}`} onSelect={() => onRegenerate({ providerId, modelId })}>
            {label}
          </MenuItem>
        ))}
      </SubMenu>
    </Menu>
  )
}

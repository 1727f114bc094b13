import { PERMISSION_MODES, type PermissionMode } from '@palimpsest/core/domain'
import { Check, ChevronDown, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Menu, MenuItem, MenuSeparator } from '../popups/menu.tsx'
import { cx } from '../primitives/cx.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'

export type ModeMenuProps = {
  mode: PermissionMode
  onChange: (mode: PermissionMode) => void
  /** Shows what is allowed beside the mode. */
  onShowRules?: () => void
}

/** What a chat may do without asking, in the composer's foot. Full access is chosen only after a confirmation. */
export function ModeMenu({ mode, onChange, onShowRules }: ModeMenuProps) {
  const { mode: words } = useMessages()
  const [confirming, setConfirming] = useState(false)
  // Read out once it has changed, by whichever way: not when the page is opened.
  const [heard, setHeard] = useState({ mode, text: '' })
  if (heard.mode !== mode) setHeard({ mode, text: words.names[mode] })
  const choose = (next: PermissionMode) => {
    if (next === mode) return
    if (next === 'full-access') setConfirming(true)
    else onChange(next)
  }
  return (
    <>
      <span role="status" className="sr-only">
        {heard.text}
      </span>
      <Menu
        side="top"
        align="start"
        trigger={
          <button
            type="button"
            className={cx(
              'inline-flex h-control shrink-0 items-center gap-1.5 rounded-md px-2 text-base transition hover:bg-wash data-popup-open:bg-wash',
              mode === 'full-access'
                ? 'text-danger'
                : mode === 'ask'
                  ? 'text-muted hover:text-ink'
                  : 'text-ink',
            )}
          >
            <span className="sr-only">{words.label}: </span>
            {words.names[mode]}
            <ChevronDown aria-hidden size={14} />
          </button>
        }
      >
        {PERMISSION_MODES.map((one) => (
          <MenuItem
            key={one}
            danger={one === 'full-access'}
            icon={<Check aria-hidden size={15} className={one === mode ? '' : 'invisible'} />}
            onSelect={() => choose(one)}
          >
            <span className="py-1">
              {words.names[one]}
              {one === mode && <span className="sr-only">, {words.chosen}</span>}
              <span className="block text-sm text-muted">{words.descriptions[one]}</span>
            </span>
          </MenuItem>
        ))}
        {onShowRules && (
          <>
            <MenuSeparator />
            <MenuItem icon={<ListChecks aria-hidden size={15} />} onSelect={onShowRules}>
              {words.rules}
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.confirmTitle}
        description={words.confirm}
        confirmLabel={words.confirmLabel}
        danger
        onConfirm={() => onChange('full-access')}
      />
    </>
  )
}

/** The mode after this one, as one key goes through them; full access is only chosen in the menu. */
export function nextMode(mode: PermissionMode): PermissionMode {
  const modes: PermissionMode[] = PERMISSION_MODES.filter((one) => one !== 'full-access')
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'ask'
}

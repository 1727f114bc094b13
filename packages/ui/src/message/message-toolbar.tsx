import type { ChatMessage } from '@palimpsest/core/domain'
import { Check, Ellipsis, Link2 } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { CopyButton } from '../popups/copy-button.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu } from '../popups/menu.tsx'
import { cx } from '../primitives/cx.ts'
import { useCopy } from '../primitives/use-copy.ts'
import { useMediaQuery } from '../primitives/use-media-query.ts'
import type { MessageActions } from './message-actions.ts'
import { messageText } from './message-text.ts'
import { ToolbarAction, ToolbarPlaceContext } from './toolbar-action.tsx'

export type MessageToolbarProps = {
  message: ChatMessage
  actions: MessageActions
  /** True keeps the row visible; else it is visible on hover and focus. */
  pinned?: boolean
  children?: ReactNode
  /** Shown after the buttons. */
  end?: ReactNode
}

/** For fingers, and where the row has no space. */
export const COMPACT_TOOLBAR = '(pointer: coarse), (width < 48rem)'

const CHECK = <Check aria-hidden size={15} className="text-good" />

/**
 * The row of small actions under a message, with a menu of the rare ones; it keeps its height, so nothing moves when it shows.
 * On narrow screens it is Copy and a menu of all others.
 */
export function MessageToolbar({ message, actions, pinned = false, children, end }: MessageToolbarProps) {
  const messages = useMessages()
  const compact = useMediaQuery(COMPACT_TOOLBAR)
  const link = useCopy()
  const { linkFor } = actions
  const others = (
    <>
      {children}
      {linkFor && (
        <ToolbarAction
          rare
          icon={link.copied ? CHECK : <Link2 aria-hidden size={15} />}
          label={link.copied ? messages.message.copied : messages.message.copyLink}
          onSelect={() => link.copy(new URL(linkFor(message.id), window.location.href).href)}
        />
      )}
    </>
  )
  const given = Children.toArray(children).length > 0
  const hasMenu = compact ? given || linkFor !== undefined : given && linkFor !== undefined
  return (
    <div
      className={cx(
        'flex min-h-control-small min-w-0 items-center gap-0.5 transition has-data-popup-open:opacity-100 coarse:opacity-100',
        !pinned && 'opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100',
      )}
    >
      {messageText(message) !== '' && (
        <CopyButton
          label={messages.message.copy}
          copiedLabel={messages.message.copied}
          text={() => messageText(message)}
        />
      )}
      {!compact && <ToolbarPlaceContext value={hasMenu ? 'short-row' : 'row'}>{others}</ToolbarPlaceContext>}
      {hasMenu && (
        <Menu
          align={message.role === 'user' ? 'end' : 'start'}
          trigger={
            <IconButton small label={messages.message.more}>
              {link.copied ? CHECK : <Ellipsis aria-hidden size={16} />}
            </IconButton>
          }
        >
          <ToolbarPlaceContext value={compact ? 'menu' : 'rest'}>{others}</ToolbarPlaceContext>
        </Menu>
      )}
      {end}
    </div>
  )
}

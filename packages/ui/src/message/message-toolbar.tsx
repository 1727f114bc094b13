import type { ChatMessage } from '@palimpsest/core/domain'
import { Check, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { CopyButton } from '../primitives/copy-button.tsx'
import { cx } from '../primitives/cx.ts'
import { IconButton } from '../primitives/icon-button.tsx'
import { useCopy } from '../primitives/use-copy.ts'
import type { MessageActions } from './message-actions.ts'
import { messageText } from './message-text.ts'

export type MessageToolbarProps = {
  message: ChatMessage
  actions: MessageActions
  /** True keeps the row visible; else it is visible on hover and focus. */
  pinned?: boolean
  children?: ReactNode
  /** Shown after the buttons. */
  end?: ReactNode
}

/** The row of small actions under a message; it keeps its height, so nothing moves when it shows. */
export function MessageToolbar({ message, actions, pinned = false, children, end }: MessageToolbarProps) {
  const messages = useMessages()
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
      {children}
      {actions.linkFor && <LinkButton href={actions.linkFor(message.id)} />}
      {end}
    </div>
  )
}

function LinkButton({ href }: { href: string }) {
  const { message } = useMessages()
  const { copied, copy } = useCopy()
  return (
    <IconButton
      small
      label={copied ? message.copied : message.copyLink}
      onClick={() => copy(new URL(href, window.location.href).href)}
    >
      {copied ? <Check aria-hidden size={15} className="text-good" /> : <Link2 aria-hidden size={15} />}
    </IconButton>
  )
}

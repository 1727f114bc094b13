import type { ChatMessage } from '@palimpsest/core/domain'
import { memo, type ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { LeftOutNote } from './left-out-note.tsx'
import type { MessageActions } from './message-actions.ts'
import { MessageToolbar } from './message-toolbar.tsx'
import { UserWords } from './user-words.tsx'

export type UserMessageProps = {
  message: ChatMessage
  actions: MessageActions
  /** More actions, such as edit and rewind. */
  extra?: ReactNode
  /** True for one that is pointed at: a long text is shown whole. */
  unfolded?: boolean
}

export const UserMessage = memo(function UserMessage(props: UserMessageProps) {
  const { message, actions, extra, unfolded = false } = props
  const messages = useMessages()
  const left = message.metadata?.leftOut === true
  const { onBringBack } = actions
  return (
    <article className={cx('group/message flex flex-col items-end pt-4', left && 'left-out')}>
      <h2 className="sr-only">{messages.message.you}</h2>
      <UserWords parts={message.parts} unfolded={unfolded} />
      {left && <LeftOutNote onBringBack={onBringBack && (() => onBringBack(message.id))} />}
      <MessageToolbar message={message} actions={actions}>
        {extra}
      </MessageToolbar>
    </article>
  )
})

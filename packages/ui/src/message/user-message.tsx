import type { ChatMessage } from '@palimpsest/core/domain'
import { memo, type ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import type { MessageActions } from './message-actions.ts'
import { MessageToolbar } from './message-toolbar.tsx'
import { UserWords } from './user-words.tsx'

export type UserMessageProps = {
  message: ChatMessage
  actions: MessageActions
  /** More actions, such as edit and rewind. */
  extra?: ReactNode
}

export const UserMessage = memo(function UserMessage({ message, actions, extra }: UserMessageProps) {
  const messages = useMessages()
  return (
    <article className="group/message flex flex-col items-end gap-1 pt-6">
      <h2 className="sr-only">{messages.message.you}</h2>
      <UserWords parts={message.parts} />
      <MessageToolbar message={message} actions={actions}>
        {extra}
      </MessageToolbar>
    </article>
  )
})

import type { ChatMessage } from '@palimpsest/core/domain'
import { memo, type ReactNode, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { FileParts } from './file-parts.tsx'
import type { MessageActions } from './message-actions.ts'
import { messageText } from './message-text.ts'
import { MessageToolbar } from './message-toolbar.tsx'

/** Characters and lines beyond which a message folds. */
const FOLD_CHARACTERS = 1_500
const FOLD_LINES = 18

export type UserMessageProps = {
  message: ChatMessage
  actions: MessageActions
  /** More actions, such as edit and rewind. */
  extra?: ReactNode
}

export const UserMessage = memo(function UserMessage({ message, actions, extra }: UserMessageProps) {
  const messages = useMessages()
  const [whole, setWhole] = useState(false)
  const text = messageText(message)
  const long = text.length > FOLD_CHARACTERS || text.split('\n', FOLD_LINES + 1).length > FOLD_LINES
  const files = message.parts.filter((part) => part.type === 'file')
  return (
    <article className="group/message flex flex-col items-end gap-1 pt-6">
      <h2 className="sr-only">{messages.message.you}</h2>
      {files.length > 0 && <FileParts parts={files} />}
      {text !== '' && (
        <div className="max-w-[85%] rounded-2xl rounded-br-md bg-inset px-4 py-2.5 text-md whitespace-pre-wrap wrap-anywhere">
          <div className={cx(long && !whole && 'line-clamp-12')}>{text}</div>
          {long && (
            <Button small variant="quiet" className="-ml-2.5 mt-1" onClick={() => setWhole(!whole)}>
              {whole ? messages.message.showLess : messages.message.showAll}
            </Button>
          )}
        </div>
      )}
      <MessageToolbar message={message} actions={actions}>
        {extra}
      </MessageToolbar>
    </article>
  )
})

import type { ChatMessage, ModelInfo } from '@palimpsest/core/domain'
import { PlainText } from '../markdown/plain-text.tsx'
import { RenderGuard } from '../markdown/render-guard.tsx'
import { AssistantMessage } from '../message/assistant-message.tsx'
import type { MessageActions } from '../message/message-actions.ts'
import { messageText } from '../message/message-text.ts'
import { UserMessage } from '../message/user-message.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import type { MessageExtras } from './message-extras.ts'

export type ThreadRowProps = {
  message: ChatMessage
  streaming: boolean
  last: boolean
  /** True for the message that the page was opened at. */
  anchored: boolean
  models: readonly ModelInfo[]
  actions: MessageActions
  extras: MessageExtras | undefined
}

export function ThreadRow({ message, anchored, extras, ...rest }: ThreadRowProps) {
  const { markdown } = useMessages()
  const instead = extras?.instead?.(message) ?? null
  return (
    <div className={cx('mx-auto max-w-column px-4 md:px-0', anchored && 'anchored')}>
      {extras?.before?.(message)}
      <div className={cx(message.metadata?.hiddenBy !== undefined && 'superseded')}>
        <RenderGuard
          resetKey={message}
          fallback={() => <PlainText text={messageText(message)} note={markdown.notFormatted} />}
        >
          {instead ?? <Message message={message} extras={extras} {...rest} />}
        </RenderGuard>
      </div>
      {extras?.after?.(message)}
    </div>
  )
}

function Message({ message, extras, ...rest }: Omit<ThreadRowProps, 'anchored'>) {
  return message.role === 'user' ? (
    <UserMessage message={message} actions={rest.actions} extra={extras?.user?.(message)} />
  ) : (
    <AssistantMessage message={message} {...rest} extra={extras?.assistant?.(message)} />
  )
}

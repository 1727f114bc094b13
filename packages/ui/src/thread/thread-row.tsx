import type { ChatMessage, ModelInfo } from '@palimpsest/core/domain'
import { AssistantMessage } from '../message/assistant-message.tsx'
import type { MessageActions } from '../message/message-actions.ts'
import { UserMessage } from '../message/user-message.tsx'
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
  const instead = extras?.instead?.(message) ?? null
  return (
    <div className={cx('mx-auto max-w-column px-4 md:px-0', anchored && 'anchored')}>
      {extras?.before?.(message)}
      <div className={cx(message.metadata?.hiddenBy !== undefined && 'superseded')}>
        {instead ?? <Message message={message} extras={extras} {...rest} />}
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

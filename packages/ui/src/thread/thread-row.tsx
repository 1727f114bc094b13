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
  /** True for the message that is pointed at. */
  anchored: boolean
  /** Changes when the same message is pointed at again. */
  again?: boolean
  models: readonly ModelInfo[]
  actions: MessageActions
  extras: MessageExtras | undefined
}

/** Hidden messages are only read. */
const READ_ONLY: MessageActions = {}

export function ThreadRow({ message, anchored, again = false, extras, ...rest }: ThreadRowProps) {
  const { markdown } = useMessages()
  const instead = extras?.instead?.(message) ?? null
  const hidden = message.metadata?.hiddenBy !== undefined
  const actions = hidden ? READ_ONLY : rest.actions
  return (
    <div
      className={cx(
        'mx-auto max-w-column px-4 md:px-0',
        anchored && (again ? 'anchored anchored-again' : 'anchored'),
      )}
    >
      {extras?.before?.(message)}
      <div className={cx(hidden && 'superseded')}>
        <RenderGuard
          resetKey={message}
          fallback={() => <PlainText text={messageText(message)} note={markdown.notFormatted} />}
        >
          {instead ?? (
            <Message message={message} extras={extras} unfolded={anchored} {...rest} actions={actions} />
          )}
        </RenderGuard>
      </div>
      {extras?.after?.(message)}
    </div>
  )
}

function Message({
  message,
  extras,
  unfolded,
  ...rest
}: Omit<ThreadRowProps, 'anchored' | 'again'> & { unfolded: boolean }) {
  return message.role === 'user' ? (
    <UserMessage
      message={message}
      actions={rest.actions}
      extra={extras?.user?.(message)}
      unfolded={unfolded}
    />
  ) : (
    <AssistantMessage message={message} {...rest} extra={extras?.assistant?.(message)} />
  )
}

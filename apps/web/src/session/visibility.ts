import type { ChatMessage } from '@palimpsest/core/domain'

export function isHidden({ metadata }: ChatMessage): boolean {
  return metadata?.hiddenBy !== undefined
}

/** The list with these messages marked as hidden, at their place. */
export function hideMessages(
  messages: readonly ChatMessage[],
  { messageIds, hiddenBy }: { messageIds: readonly string[]; hiddenBy: string },
): readonly ChatMessage[] {
  const ids = new Set(messageIds)
  return messages.map((message) => (ids.has(message.id) ? hidden(message, hiddenBy) : message))
}

/** The list with these messages visible again. Ones that it lacks are in older pages that are not loaded. */
export function showMessages(
  messages: readonly ChatMessage[],
  messageIds: readonly string[],
): readonly ChatMessage[] {
  const ids = new Set(messageIds)
  return messages.map((message) => (ids.has(message.id) ? visible(message) : message))
}

function hidden(message: ChatMessage, hiddenBy: string): ChatMessage {
  return { ...message, metadata: { schemaVersion: 1, createdAt: 0, ...message.metadata, hiddenBy } }
}

function visible({ metadata, ...message }: ChatMessage): ChatMessage {
  if (metadata === undefined) return message
  const { hiddenAt: _at, hiddenBy: _by, ...rest } = metadata
  return { ...message, metadata: rest }
}

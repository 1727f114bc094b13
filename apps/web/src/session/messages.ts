import type { ChatMessage } from '@palimpsest/core/domain'

/**
 * The list with this message in its place. A new one goes to the end, but the message that started a run comes before
 * its reply: events and chunks may arrive in another order.
 */
export function placeMessage(
  messages: readonly ChatMessage[],
  message: ChatMessage,
  runId = message.metadata?.runId,
): readonly ChatMessage[] {
  const index = messages.findLastIndex(({ id }) => id === message.id)
  if (index !== -1) return messages.with(index, message)
  if (message.role === 'assistant' || runId === undefined) return [...messages, message]
  const reply = messages.findIndex(({ role, metadata }) => role === 'assistant' && metadata?.runId === runId)
  return reply === -1 ? [...messages, message] : messages.toSpliced(reply, 0, message)
}

/** The list with this message as it is now. One that it lacks is in an older page that is not loaded. */
export function replaceMessage(
  messages: readonly ChatMessage[],
  message: ChatMessage,
): readonly ChatMessage[] {
  const index = messages.findLastIndex(({ id }) => id === message.id)
  return index === -1 ? messages : messages.with(index, message)
}

export function withoutMessages(
  messages: readonly ChatMessage[],
  ids: ReadonlySet<string>,
): readonly ChatMessage[] {
  const rest = messages.filter(({ id }) => !ids.has(id))
  return rest.length === messages.length ? messages : rest
}

/**
 * The list after a fresh newest page: what was loaded before the page's first message stays above it. Without that
 * message among the loaded ones the gap is unknown, and the page replaces them.
 */
export function joinNewestPage(
  messages: readonly ChatMessage[],
  page: readonly ChatMessage[],
): { messages: readonly ChatMessage[]; joined: boolean } {
  const first = page[0]
  const index = first === undefined ? -1 : messages.findIndex(({ id }) => id === first.id)
  if (index <= 0) return { messages: page, joined: false }
  const fresh = new Set(page.map(({ id }) => id))
  return { messages: [...withoutMessages(messages.slice(0, index), fresh), ...page], joined: true }
}

/** The list with an older page above it; what is there already is not added twice. */
export function prependPage(
  messages: readonly ChatMessage[],
  page: readonly ChatMessage[],
): readonly ChatMessage[] {
  const known = new Set(messages.map(({ id }) => id))
  return [...page.filter(({ id }) => !known.has(id)), ...messages]
}

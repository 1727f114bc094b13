import type { ChatMessage } from '@palimpsest/core/domain'

/** The list with this message in its place, or at the end when it is new. */
export function upsertMessage(
  messages: readonly ChatMessage[],
  message: ChatMessage,
): readonly ChatMessage[] {
  const index = messages.findLastIndex(({ id }) => id === message.id)
  return index === -1 ? [...messages, message] : messages.with(index, message)
}

/** The list with the reply of a run: before the messages that steered it, which entered when it had begun. */
export function placeReply(
  messages: readonly ChatMessage[],
  reply: ChatMessage,
  runId: string,
): readonly ChatMessage[] {
  if (messages.some(({ id }) => id === reply.id)) return upsertMessage(messages, reply)
  const steering = messages.findIndex(({ metadata }) => metadata?.steer && metadata.runId === runId)
  return steering === -1 ? [...messages, reply] : messages.toSpliced(steering, 0, reply)
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
 * message among the loaded ones nobody knows what lies between, and the page stands alone.
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

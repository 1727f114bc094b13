import type { StoredMessage } from '../../domain/message/message.ts'

/** A message whose outputs named by `partIds` are pruned, or restored. */
export function withMarks(
  partIds: readonly string[],
  prunedAt: number | null,
): (message: StoredMessage) => StoredMessage {
  const marked = new Set(partIds)
  return (message) => ({
    ...message,
    parts: message.parts.map((part) => (marked.has(part.id) ? { ...part, prunedAt } : part)),
  })
}

/** A message that is left out of what the model sees when it is one of `ids`, or no longer so. */
export function withLeftOut(
  ids: readonly string[],
  left: boolean,
): (message: StoredMessage) => StoredMessage {
  const marked = new Set(ids)
  return (message) => {
    if (!marked.has(message.id)) return message
    const { leftOut: _, ...metadata } = message.metadata
    return { ...message, metadata: left ? { ...metadata, leftOut: true } : metadata }
  }
}

import type { ChatMessage, MetadataPatch } from '../message/message.ts'

/** The message with a patch merged into its metadata: objects key by key, everything else replaced. */
export function mergeMetadata(message: ChatMessage, patch: MetadataPatch | undefined): ChatMessage {
  if (patch === undefined) return message
  // A run's first chunk carries every key that `MessageMetadata` demands; later ones only add to it.
  return {
    ...message,
    metadata: mergeObjects(message.metadata ?? {}, patch) as ChatMessage['metadata'] & object,
  }
}

function mergeObjects(base: object, patch: object): object {
  const merged = new Map<string, unknown>(Object.entries(base))
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const present = merged.get(key)
    merged.set(key, isObject(present) && isObject(value) ? mergeObjects(present, value) : value)
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

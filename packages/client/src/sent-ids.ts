import { createId } from '@palimpsest/core/domain'

/** The ids of messages on the server, by their ids in the chat. */
export type SentIds = {
  of(chatMessageId: string): string
  /** The id to send a message with: its own, or a new one when it replaces a message that was sent with that id. */
  next(chatMessageId: string, replaces: boolean): string
}

/** A chat keeps the id of an edited message; the server keeps both messages, so that they need two. */
export function createSentIds(): SentIds {
  const ids = new Map<string, string>()
  return {
    of: (id) => ids.get(id) ?? id,
    next(id, replaces) {
      if (replaces) ids.set(id, createId('msg'))
      return ids.get(id) ?? id
    },
  }
}

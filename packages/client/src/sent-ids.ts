import { createId } from '@palimpsest/core/domain'

/** The ids that messages have on the server, by the ids that the chat knows them under. */
export type SentIds = {
  of(chatMessageId: string): string
  /** The id to send a message under: its own, or a new one when it replaces what was sent under that id before. */
  next(chatMessageId: string, replaces: boolean): string
}

/** A chat keeps the id of a message that is edited; the server keeps both messages, so that they need two. */
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

import type { ChatMessage } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

/** What a page adds to messages. Keep its identity. */
export type MessageExtras = {
  /** More actions in the row under a message. */
  user?: (message: ChatMessage) => ReactNode
  assistant?: (message: ChatMessage) => ReactNode
  before?: (message: ChatMessage) => ReactNode
  after?: (message: ChatMessage) => ReactNode
  /** Stays over the thread while this message is the topmost one. */
  over?: (message: ChatMessage) => ReactNode
  /** Replaces a message; null leaves it. */
  instead?: (message: ChatMessage) => ReactNode
}

import type { ChatMessage } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

/** More actions in the row under a message. Keep its identity. */
export type MessageExtras = {
  user?: (message: ChatMessage) => ReactNode
  assistant?: (message: ChatMessage) => ReactNode
}

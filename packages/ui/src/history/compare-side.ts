import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

/** One of two sessions that are compared. */
export type CompareSide = {
  id: string
  name: string
  href: string
  status: SessionStatus
  /** True while its newest message could not be sent; its notice is shown elsewhere. */
  unsent?: boolean
  /** The message that is being written, or null. */
  streamingId: string | null
  /** The name of its model. */
  model?: string | undefined
  /** The tokens that it has used. */
  tokens?: number | undefined
  /** How full its window is. */
  meter?: ReactNode
}

/** A turn: its user message, or null when that is before the fork, and the replies. */
export type CompareTurn = { prompt: ChatMessage | null; replies: readonly ChatMessage[] }

/** The same turn of both sessions; null where a session has none. */
export type ComparedTurn = { left: CompareTurn | null; right: CompareTurn | null }

export type Which = 'left' | 'right'

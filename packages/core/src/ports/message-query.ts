import type { MessageLayer } from '../domain/history/message-layer.ts'
import type { Role } from '../domain/message/message.ts'
import type { SeqRange } from '../domain/values/seq-ranges.ts'

export type MessageQuery = {
  sessionId: string
  /** 1 to 200. */
  limit: number
  cursor?: string
  /** true: hidden messages too. Queued ones are never among them; with `places`, those at these places alone are. */
  hidden: boolean
  places?: SeqRange[]
  /** Only messages of this role. */
  role?: Role
}

export type SearchHit = {
  sessionId: string
  sessionTitle: string
  messageId: string
  role: Role
  layer: MessageLayer
  /** Text around the hit, with hits between U+0002 and U+0003. */
  snippet: string
  createdAt: number
}

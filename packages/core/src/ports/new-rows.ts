import type { JsonObject } from '../domain/json/json.ts'
import type { ChatPart, MessageMetadata, Role } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { SessionMetadata } from '../domain/session/session.ts'

export type NewSession = {
  id: string
  title: string
  agent: string
  workspaceRoot: string | null
  model: ModelRef
  parentId: string | null
  parentMessageId: string | null
  metadata: SessionMetadata
  /** None when left out. */
  permissions?: JsonObject[]
  at: number
}

/** A message to be written, its parts in order. */
export type NewMessage = {
  id: string
  sessionId: string
  role: Role
  metadata: MessageMetadata
  parts: ChatPart[]
}

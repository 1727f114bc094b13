import type { ChatPart } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { AboutFiles } from '../domain/workspace/file-journal.ts'

export type SendMessage = AboutFiles & {
  sessionId: string
  message: { id?: string; parts: ChatPart[] }
  model?: ModelRef
  agent?: string
  /** A user message that this one replaces: it and everything after it is hidden. */
  replaceMessageId?: string
  /** During a run: the message enters it at its next step boundary instead of after its end. */
  steer?: boolean
}

export type Resend = AboutFiles & { sessionId: string; messageId: string; model?: ModelRef }

export type SendResult = { messageId: string; runId?: string; queued: boolean }

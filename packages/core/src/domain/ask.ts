/** A question of a model to a person, and the answers to choose from; any other answer is a text. */
export type Question = {
  question: string
  options: { label: string; description?: string }[]
  /** True when several options may be chosen. */
  multiple?: boolean
}

/** The answer to one question: labels of chosen options, and texts of the person's own. */
export type Answer = string[]

/** What a run waits for. */
export type AskRequest =
  | {
      kind: 'approval'
      tool: string
      args: object
      /** Why it is asked. */
      reason: string
      /** Patterns that a lasting permission could have, the narrowest first. */
      patterns: string[]
    }
  | { kind: 'answer'; questions: Question[] }

export type AskKind = AskRequest['kind']

/** How far a permission reaches: this call, the session, or all sessions of its workspace. */
export type PermissionScope = 'once' | 'session' | 'project'

export type AskReply =
  | { type: 'approved'; scope: PermissionScope; pattern?: string }
  /** `reason` is for the model. */
  | { type: 'denied'; reason?: string }
  /** One answer for each question. */
  | { type: 'answered'; answers: Answer[] }
  /** Its run ended without it. */
  | { type: 'cancelled' }

/** A request of a run to a person, about one call. */
export type Ask = {
  id: string
  sessionId: string
  runId: string
  /** The reply that holds the call. */
  messageId: string
  toolCallId: string
  request: AskRequest
  /** Null while the ask is open. */
  reply: AskReply | null
  createdAt: number
}

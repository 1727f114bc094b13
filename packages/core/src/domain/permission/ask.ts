import type { FileChange, PlannedChange } from '../workspace/file-change.ts'
import type { Requirement } from './permission.ts'
import type { ServerForm } from './server-form.ts'

/** A question of a model to a person, and the answers to choose from; any other answer is a text. */
export type Question = {
  question: string
  options: { label: string; description?: string }[]
  /** True when several options may be chosen. */
  multiple?: boolean
  /** What the answer has to be, in a sentence. */
  hint?: string
  /** The answer that is entered until the person changes it. */
  preset?: Answer
  /** True when it may be left without an answer. */
  optional?: true
  /** True when nothing but the options may be the answer. */
  closed?: true
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
      /** What the call requires; asks of earlier versions do not have it. */
      requirements?: Requirement[]
      /** The one of them that a lasting permission would be for. */
      asked?: Requirement
      /** The change of a file that the call would make. */
      change?: PlannedChange
      /** The agent of the subagent that asks; absent where the chat itself asks. */
      subagent?: string
    }
  /** With `form` a server asks in the middle of a call, one question for each of its fields. */
  | { kind: 'answer'; questions: Question[]; subagent?: string; form?: ServerForm }
  /** The end of a subagent's run, which is no person's to reply to. */
  | { kind: 'task'; task: TaskRequest }

/** The subagent that a call starts: the session of its run, its agent, and what it is to do. */
export type TaskRequest = { sessionId: string; agent: string; prompt: string }

export type AskKind = AskRequest['kind']

/** What the run of these open asks waits on: a person before a subagent. Null when none is open. */
export function waitsOn(open: readonly Pick<Ask, 'request'>[]): AskKind | null {
  const kinds = open.map(({ request }) => request.kind)
  return kinds.find((kind) => kind !== 'task') ?? kinds[0] ?? null
}

/** What a run asks of a person. */
export type PersonAskKind = Exclude<AskKind, 'task'>

/** How far a permission reaches: this call, the session, or all sessions of its workspace. */
export type PermissionScope = 'once' | 'session' | 'project'

export type AskReply =
  /** `rule` is what else is allowed from then on. */
  | { type: 'approved'; scope: PermissionScope; rule?: { permission: string; pattern: string } }
  /** `reason` is for the model. */
  | { type: 'denied'; reason?: string }
  /** One answer for each question; none of a form that the person has refused. */
  | ({ type: 'answered' } & AnswerReply)
  /** The subagent's run has ended; `text` is its final text, or why there is none. */
  | ({ type: 'ended' } & TaskEnd)
  /** Its run ended without it. */
  | { type: 'cancelled' }

/** Answers to questions, or that a person has declined or closed the form of a server. */
export type AnswerReply = { answers: Answer[]; refused?: FormRefusal }
export type FormRefusal = 'decline' | 'cancel'

/** How the run of a subagent has ended, for the model that started it. */
export type TaskEnd = { outcome: 'finished' | 'failed'; text: string; truncated?: true }

/** What a run waits for with one of its calls: the reply of a person, or the end of a subagent. */
export type Ask = {
  id: string
  sessionId: string
  /** The session whose page shows it: the root of the subagents, or the session itself. */
  rootSessionId: string
  runId: string
  /** The reply that holds the call. */
  messageId: string
  toolCallId: string
  /** The step of the run that made the call, from 1: a provider may use an id again in another step. */
  step: number
  request: AskRequest
  /** Null while the ask is open. */
  reply: AskReply | null
  createdAt: number
}

/** An open ask for a permission, as clients see it. */
export type PendingPermission = {
  id: string
  sessionId: string
  /** The session whose page shows it. */
  rootSessionId: string
  runId: string
  messageId: string
  toolCallId: string
  tool: string
  args: object
  reason: string
  patterns: string[]
  change?: FileChange
  /** The agent of the subagent that asks; absent where the chat itself asks. */
  subagent?: string
  createdAt: number
}

/** An open question, as clients see it. */
export type PendingQuestion = Omit<PendingPermission, 'tool' | 'args' | 'reason' | 'patterns' | 'change'> & {
  questions: Question[]
  /** The server that asks, and why in its words; absent where the model asks. */
  form?: Pick<ServerForm, 'server' | 'message'>
}

export function toPendingPermission(ask: Ask): PendingPermission | null {
  if (ask.request.kind !== 'approval') return null
  const { tool, args, reason, patterns, change, subagent } = ask.request
  return {
    ...idsOf(ask),
    tool,
    args,
    reason,
    patterns,
    ...(change && { change }),
    ...(subagent !== undefined && { subagent }),
    createdAt: ask.createdAt,
  }
}

export function toPendingQuestion(ask: Ask): PendingQuestion | null {
  if (ask.request.kind !== 'answer') return null
  const { questions, subagent, form } = ask.request
  return {
    ...idsOf(ask),
    questions,
    ...(subagent !== undefined && { subagent }),
    ...(form && { form: { server: form.server, message: form.message } }),
    createdAt: ask.createdAt,
  }
}

function idsOf({ id, sessionId, rootSessionId, runId, messageId, toolCallId }: Ask) {
  return { id, sessionId, rootSessionId, runId, messageId, toolCallId }
}

import type { ChatChunk, ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { BudgetLimits, SessionBudget } from '../domain/model/budget.ts'
import type { ModelInfo, ModelRef } from '../domain/model/model.ts'
import type { AppSettings, ProviderKind, ProviderTest, ProviderView } from '../domain/model/provider.ts'
import type {
  Answer,
  FormRefusal,
  PendingPermission,
  PendingQuestion,
  PermissionScope,
} from '../domain/permission/ask.ts'
import type { ListedRule, PermissionMode } from '../domain/permission/permission.ts'
import type { PromptLine } from '../domain/prompt-line.ts'
import type { SessionFeedEvent } from '../domain/session/event.ts'
import type { Session, SessionMetadata, SessionView } from '../domain/session/session.ts'
import type { SessionStatus } from '../domain/session/status.ts'
import type { HookView } from '../domain/settings/hook.ts'
import type { Memory, MemoryScope, MemoryText } from '../domain/settings/memory.ts'
import type { HeavyMessage } from '../domain/window/heavy-message.ts'
import type { WindowContent } from '../domain/window/window-content.ts'
import type { ChangesService } from '../history/changes/changes-service.ts'
import type { HistoryService } from '../history/history-service.ts'
import type { MessageQuery, SearchHit } from '../ports/message-query.ts'
import type { Page } from '../ports/page.ts'
import type { RuleScope } from '../ports/permissions.ts'
import type { StorageReport, UsageRow } from '../ports/reports.ts'
import type { SessionQuery } from '../ports/session-query.ts'
import type { AgentMode } from '../run/agent.ts'
import type { InspectService } from './inspect-service.ts'
import type { McpService } from './mcp-service.ts'
import type { ProcessService } from './process-control.ts'
import type { Resend, SendMessage, SendResult } from './send-message.ts'
import type { SourceService } from './source-service.ts'

export type CreateSession = {
  id?: string
  title?: string
  agent?: string
  model?: ModelRef
  /** The folder that its tools work in; null for none, the host's default when left out. */
  workspaceRoot?: string | null
  /** What the session may do without asking; `ask` when left out. */
  mode?: PermissionMode
  metadata?: SessionMetadata
}

export type QueueEdit = {
  sessionId: string
  messageId: string
  parts?: ChatPart[]
  model?: ModelRef
  steer?: boolean
}

/**
 * `session` and `project` also allow what `pattern` matches from then on, one of the patterns of the ask and by default the
 * first. `reason` goes to the model.
 */
export type PermissionReply = {
  permissionId: string
  reply: PermissionScope | 'deny'
  pattern?: string
  reason?: string
}

/** Calls that persons allow or deny, and what is allowed without an ask. */
export interface PermissionService {
  /** The open asks for a permission, of a session or of all, the oldest first. */
  pending(sessionId: string | null): Promise<PendingPermission[]>
  /**
   * Decides; of two replies the first one counts, the other is `CONFLICT`. The last one that a run waits for resumes it. A rule
   * that the reply gives also answers the other open asks that it allows.
   */
  reply(input: PermissionReply): Promise<void>
  /** The rules that count for a session or for the sessions of a workspace; null for those of the manifest and all workspaces. */
  rules(scope: RuleScope | null): Promise<ListedRule[]>
  /** Removes a rule that a person gave. `INVALID_INPUT` of field `ruleId` when there is none. */
  revoke(ruleId: string, scope: RuleScope): Promise<void>
  /** Sets how a session treats what no rule decides, from the next call on. */
  setMode(sessionId: string, mode: PermissionMode): Promise<Session>
}

/** `apiKey`: null is none; absent, the stored key stays as it is. */
export type ProviderAddress = { kind: ProviderKind; baseURL?: string | null; apiKey?: string | null }

export type PutProvider = ProviderAddress & { id: string; label?: string; models?: string[] }

/** A provider that is there, by its `id` alone, or one as it would be entered. */
export type TestProvider = {
  id?: string
  kind?: ProviderKind
  baseURL?: string | null
  apiKey?: string | null
}

/** An agent, with the ids of its tools. */
export type AgentView = { id: string; description: string; mode: AgentMode; tools: string[] }

/** `workspaceRoot` is the folder of a project's memory. With an `id`, scope and folder stay as they are. */
export type WriteMemory = MemoryText & { id?: string; scope: MemoryScope; workspaceRoot?: string }

type OfSession = Pick<MessageQuery, 'sessionId' | 'cursor'> & { limit?: number }

export type Located = { session: Session; found: 'message' | 'session' }

export type UsageReport = { rows: UsageRow[]; counts: { sessions: number; messages: number } }

/**
 * The session service: the only interface of a surface. Every method fails with an `AppError` only; unknown ids are
 * `SESSION_NOT_FOUND` or `MESSAGE_NOT_FOUND`, and input out of bounds is `INVALID_INPUT` with its field.
 */
export interface SessionService {
  /** Instructions, skills, agents and commands of files. */
  readonly sources: SourceService

  /** Creates a session. An id that exists returns its session when the content is the same, else `CONFLICT`. */
  create(input: CreateSession): Promise<Session>
  list(query: Partial<SessionQuery>): Promise<Page<Session>>
  /** Returns the row with its status and its usage. Never waits for a run. */
  get(sessionId: string): Promise<SessionView>
  /** Returns a page of messages: the newest page first, each in order. */
  messages(query: OfSession & { hidden?: boolean }): Promise<Page<ChatMessage>>
  /** What the person asked and is read in the thread, the newest first; see `MessageStore.prompts`. */
  prompts(query: OfSession): Promise<Page<PromptLine>>
  rename(sessionId: string, title: string): Promise<Session>
  /**
   * Chooses the folder of a session without one, from its next turn on. A session that works in this folder stays as it is.
   * `CONFLICT` for one that works in another, `PERMISSION_DENIED` for a folder that is not allowed.
   */
  chooseFolder(sessionId: string, workspaceRoot: string): Promise<Session>
  /** Archives the session; a turn that is running finishes first. */
  archive(sessionId: string): Promise<Session>
  unarchive(sessionId: string): Promise<Session>
  /**
   * Stops a run that is on or waits, then moves the session to the bin, with its sidecars and, with its branches, all its
   * descendants. It keeps all its rows for 30 days; until it is restored every call but `restore` and `purge` fails with
   * `SESSION_NOT_FOUND`.
   */
  delete(sessionId: string, options?: { withBranches?: boolean }): Promise<void>
  /** Brings a session back from the bin with what was deleted together with it. One that is not in the bin stays as it is. */
  restore(sessionId: string): Promise<Session>
  /**
   * Where a link leads: the chat that holds the message, in the bin too, else the chat of `sessionId`; null when there is
   * neither. `found` says which of the two it is.
   */
  locate(input: { sessionId: string; messageId?: string }): Promise<Located | null>
  /** Removes a session that is in the bin, and what was deleted together with it, with all rows. `CONFLICT` when it is not there. */
  purge(sessionId: string): Promise<void>

  /**
   * Starts a run, or queues the message during a run or behind other queued messages; in the second case the queue
   * continues from its earliest message. The same id and content again returns the first result.
   */
  send(input: SendMessage): Promise<SendResult>
  /** Starts a new reply to a user message and hides what came after it. `SESSION_BUSY` during a run. */
  resend(input: Resend): Promise<{ runId: string }>
  /** Continues from the last committed step of a run that was stopped, failed or interrupted. */
  continue(sessionId: string): Promise<{ runId: string }>
  /**
   * Aborts the current run, or only the run with the given id. Resolves when the session has settled. The earliest queued
   * message fires next; with `pauseQueue` the queue waits for a user instead.
   */
  abort(sessionId: string, runId?: string, options?: { pauseQueue?: boolean }): Promise<{ aborted: boolean }>

  /** Streams the session's current run, or the named one, from its first chunk; see `LiveStreams.read`. */
  stream(input: { sessionId: string; runId?: string }, signal?: AbortSignal): AsyncIterable<ChatChunk[]>
  /** Streams the current state, then every change, of one session or of all; see `listen` for slow subscribers. */
  events(sessionId: string | null, signal?: AbortSignal): AsyncIterable<SessionFeedEvent>
  status(sessionId: string): Promise<SessionStatus>

  readonly permissions: PermissionService

  readonly questions: {
    /** The open questions, of a session or of all, the oldest first. */
    pending(sessionId: string | null): Promise<PendingQuestion[]>
    /**
     * Answers each of the questions, as `permissions.reply` decides. With `refused`, which only a server's form may be, no answer
     * counts. `INVALID_INPUT` of field `answers.<place>` for an answer that is no value of the form's field.
     */
    answer(questionId: string, answers: Answer[], refused?: FormRefusal): Promise<void>
  }

  /** What sessions may spend. */
  readonly budget: {
    get(sessionId: string): Promise<SessionBudget>
    /** Sets the limits of a session, and continues its queue when something is left. */
    set(sessionId: string, limits: BudgetLimits): Promise<SessionBudget>
  }

  readonly inspect: InspectService

  readonly hooks: {
    /** The hooks of the configuration, in declared order, and how each has done since the host started. */
    list(): HookView[]
  }

  readonly processes: ProcessService

  readonly mcp: McpService

  readonly queue: {
    list(sessionId: string): Promise<ChatMessage[]>
    edit(input: QueueEdit): Promise<ChatMessage>
    cancel(sessionId: string, messageId: string): Promise<void>
    /** Messages that were cancelled, the last queued first. */
    cancelled(query: { sessionId: string; limit?: number; cursor?: string }): Promise<Page<ChatMessage>>
    /** Puts a cancelled message at the end of the queue, which continues when the session is idle. */
    restore(sessionId: string, messageId: string): Promise<SendResult>
    /** `messageIds` must be exactly the queued ones, else `CONFLICT`. */
    reorder(sessionId: string, messageIds: string[]): Promise<ChatMessage[]>
    /** Aborts the current run, then fires this message before the others. */
    promote(sessionId: string, messageId: string): Promise<{ runId: string }>
  }

  readonly history: HistoryService
  readonly changes: ChangesService

  readonly agents: {
    /** The agents of chats and of subagents, in order. */
    list(): Promise<AgentView[]>
  }

  /** Notes that models read in every session. Models propose and write them; a person sees, edits and deletes all. */
  readonly memories: {
    /** The last created first, proposals included. */
    list(query: {
      limit?: number
      cursor?: string
      scope?: MemoryScope
      workspaceRoot?: string
    }): Promise<Page<Memory>>
    /**
     * Writes a memory over the one of its name, or with an `id` changes that one; a proposal is accepted by it. `INVALID_INPUT` with
     * the field, `CONFLICT` when another memory has the name.
     */
    write(input: WriteMemory): Promise<Memory>
    /** False when there is none with this id. */
    delete(id: string): Promise<boolean>
  }

  readonly settings: {
    get(): Promise<AppSettings>
    /** Changes what is given. `MODEL_NOT_FOUND` for a default model that no provider offers. */
    set(patch: Partial<AppSettings>): Promise<AppSettings>
  }

  /** The providers of models. Keys go in and never come out. */
  readonly providers: {
    /** Those of the environment and the file first, then those that were entered. */
    list(): Promise<ProviderView[]>
    /**
     * Enters a provider, or changes the one with this id, then reads its list of models. The catalogue has the change once this
     * resolves; running turns keep their model. A stored key is only ever sent to the address that it was entered for.
     */
    put(input: PutProvider): Promise<ProviderView & { test: ProviderTest }>
    /** Reads the list of models of a provider, within 10 s. Stores nothing but the list of one that was entered. */
    test(input: TestProvider): Promise<ProviderTest>
    /** `MODEL_NOT_FOUND` when there is none with this id. */
    remove(id: string): Promise<void>
  }

  /** Every model, and the one of new sessions; `chosen` when a person set it. */
  models(): Promise<{ models: ModelInfo[]; defaultModel: ModelRef; chosen: boolean }>
  search(query: {
    text: string
    limit?: number
    cursor?: string
    sessionId?: string
  }): Promise<Page<SearchHit>>
  /**
   * Files of the folder of a session, else of a named folder, else of the default one, by what is typed of their path: at most 20, the
   * best first. Files that git ignores are left out. `PERMISSION_DENIED` for a folder that is not allowed.
   */
  findFiles(query: {
    query: string
    sessionId?: string
    workspaceRoot?: string | null
  }): Promise<{ paths: string[] }>
  /** Sums by model and UTC day in `[since, until)`, by default the last 30 days. */
  usageReport(range: { since?: number; until?: number }): Promise<UsageReport>
  /** How much is stored: bytes, and rows without and in the bin. */
  storage(): Promise<StorageReport & { sessions: number; messages: number }>
  /** What the session's window is made of, estimated by kind; the kinds add up to what is used. */
  content(sessionId: string): Promise<WindowContent>
  /** The five messages that take the most of the window, the heaviest first; estimated. */
  heaviest(sessionId: string): Promise<HeavyMessage[]>
  /** The exact system prompt of an assistant message. */
  systemPrompt(sessionId: string, messageId: string): Promise<{ digest: string; body: string }>
}

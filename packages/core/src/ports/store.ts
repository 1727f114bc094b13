import type {
  ChatChunk,
  ChatPart,
  MessageMetadata,
  MetadataPatch,
  StoredMessage,
} from '../domain/message/message.ts'
import type { SteeringPart } from '../domain/message/steering-part.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { Ask } from '../domain/permission/ask.ts'
import type { PromptLine } from '../domain/prompt-line.ts'
import type { Session, SessionMetadata } from '../domain/session/session.ts'
import type { Reduction } from '../domain/stream/message-reducer.ts'
import type { AskStore } from './asks.ts'
import type { BlobStore } from './blobs.ts'
import type { BudgetStore, SessionSpending } from './budgets.ts'
import type { FileJournal } from './file-journal.ts'
import type { HistoryChange, HistoryStore } from './history.ts'
import type { MemoryStore } from './memories.ts'
import type { MessageQuery, SearchHit } from './message-query.ts'
import type { NewMessage, NewSession } from './new-rows.ts'
import type { Page } from './page.ts'
import type { PermissionStore } from './permissions.ts'
import type { ReportStore } from './reports.ts'
import type { RunEpoch, RunLease, WaitingRun } from './run-lease.ts'
import type { SessionQuery } from './session-query.ts'
import type { SettingsStore } from './settings.ts'
import type { StepEnding } from './step-end.ts'
import type { SubagentStore } from './subagents.ts'

/** Stores conversations. Every method is atomic; failures that no input caused are `STORE_ERROR`. */
export interface Store extends AsyncDisposable {
  /** Names this store for ever; a session of another store is refused. */
  readonly storeId: string
  readonly sessions: SessionStore
  readonly messages: MessageStore
  readonly queue: QueueStore
  readonly runs: RunStore
  readonly asks: AskStore
  readonly permissions: PermissionStore
  readonly subagents: SubagentStore
  readonly reports: ReportStore
  readonly history: HistoryStore
  readonly settings: SettingsStore
  readonly blobs: BlobStore
  readonly memories: MemoryStore
  readonly budgets: BudgetStore
  readonly fileChanges: FileJournal
}

/**
 * A session in the bin keeps all its rows, and is found only by `list` with `deleted` and by the methods from `delete` on. To
 * every other method of the store it does not exist; only its ids stay taken.
 */
export interface SessionStore {
  /** The same id with the same content answers with the row that is there; with other content `CONFLICT`. */
  create(session: NewSession): Promise<Session>
  get(sessionId: string): Promise<Session | null>
  /** Newest first by `(updatedAt, id)`, in keyset pages. A bad cursor is `INVALID_INPUT` of field `cursor`. */
  list(query: SessionQuery): Promise<Page<Session>>
  /** A person's rename. All of these fail with `SESSION_NOT_FOUND`. */
  rename(sessionId: string, title: string, at: number): Promise<Session>
  /** Sets a generated title in the place of none or of first words; null when the session has another one. */
  setGeneratedTitle(sessionId: string, title: string, at: number): Promise<Session | null>
  setArchived(sessionId: string, archivedAt: number | null, at: number): Promise<Session>
  setModel(sessionId: string, model: ModelRef, at: number): Promise<Session>
  /** Sets the folder of a session without one; null when it has another. */
  setFolder(sessionId: string, workspaceRoot: string, at: number): Promise<Session | null>
  setMetadata(sessionId: string, metadata: SessionMetadata, at: number): Promise<Session>
  /**
   * The sessions that `delete` would move to the bin: the session, its sidecars and subagents and, with its branches, all its
   * descendants.
   */
  deletion(sessionId: string, withBranches: boolean): Promise<string[]>
  /**
   * Moves these to the bin, with one `deletedAt` that no descendant has had before; returns them. Other children keep their
   * parent. `SESSION_BUSY` while one of them is claimed.
   */
  delete(sessionId: string, options: { withBranches: boolean; at: number }): Promise<Session[]>
  /**
   * Brings a session back, with the descendants that were deleted together with it. Returns them; none when the session is not
   * in the bin.
   */
  restore(sessionId: string, at: number): Promise<Session[]>
  /**
   * Removes a session that is in the bin, with the descendants that were deleted together with it, and all their rows, in one
   * transaction; other children become roots. The rows of blobs that only they named go with them. `CONFLICT` when the session
   * is not in the bin.
   */
  purge(sessionId: string): Promise<Purged>
  /** The session of this id, or else the one that holds the message of this id; one in the bin too. */
  locate(id: string): Promise<Session | null>
  /** Up to 100 sessions that were moved to the bin at `before` or earlier, without those in `except`. */
  expired(before: number, except?: readonly string[]): Promise<string[]>
}

/**
 * The ids of removed sessions, the hashes of the blobs whose rows went with them, the folders that no session names any more, and,
 * where there are such, those that sessions name.
 */
export type Purged = { sessions: string[]; blobs: string[]; workspaces: Workspaces }
type Workspaces = { unnamed: string[]; named: string[] }

export interface MessageStore {
  /** Any message of the session: hidden and queued ones included. */
  get(sessionId: string, messageId: string): Promise<StoredMessage | null>
  /**
   * The newest page first, in order of `seq` inside it; the cursor leads to the page before. A page has at most `limit` messages
   * and `LIMITS.pageBytes`.
   */
  page(query: MessageQuery): Promise<Page<StoredMessage>>
  /**
   * What the person asked and is read in the thread, the newest first. A page reads `limit` of the person's messages and
   * `LIMITS.pageBytes` at most, and is shorter by those that are hidden.
   */
  prompts(query: Pick<MessageQuery, 'sessionId' | 'limit' | 'cursor'>): Promise<Page<PromptLine>>
  /** What the next model call may see, in order of `seq`. */
  visible(sessionId: string): Promise<StoredMessage[]>
  /** The exact system prompt of a digest. */
  systemPrompt(digest: string): Promise<string | null>
  /** Messages that hold the words, hidden ones too, the newest first. */
  search(query: {
    text: string
    limit: number
    cursor?: string
    sessionId?: string
  }): Promise<Page<SearchHit>>
}

/** Messages that wait for the current run. Ordered by `queuedAt`, which is unique in a session, cancelled ones included. */
export interface QueueStore {
  /**
   * Persists a message with `queuedAt`, later than every other of its session. `RATE_LIMITED` once
   * `LIMITS.queuedMessages` wait there, or would have more than `LIMITS.queuedCharacters`.
   */
  add(message: NewMessage, at: number): Promise<StoredMessage>
  list(sessionId: string): Promise<StoredMessage[]>
  /**
   * `MESSAGE_NOT_FOUND`, or `CONFLICT` once it has fired or was cancelled: so for each of these. An edit is `RATE_LIMITED` when
   * those that wait would have too many characters.
   */
  edit(
    sessionId: string,
    messageId: string,
    patch: { parts?: ChatPart[]; metadata?: MetadataPatch },
    at: number,
  ): Promise<StoredMessage>
  /** Keeps the row, hidden by `cancelled`. */
  cancel(sessionId: string, messageId: string, at: number): Promise<void>
  /** Cancelled messages, the last queued first, in pages of at most `LIMITS.pageBytes`. A bad cursor is `INVALID_INPUT` of field `cursor`. */
  cancelled(query: { sessionId: string; limit: number; cursor?: string }): Promise<Page<StoredMessage>>
  /**
   * Puts a cancelled message back, behind all that wait. `MESSAGE_NOT_FOUND`, `CONFLICT` when it is not cancelled,
   * `SESSION_ARCHIVED` and `RATE_LIMITED` as for `add`.
   */
  restore(sessionId: string, messageId: string, at: number): Promise<StoredMessage>
  /** `messageIds` must be exactly the queued ones, else `CONFLICT`. */
  reorder(sessionId: string, messageIds: string[], at: number): Promise<StoredMessage[]>
  /** Marks a session whose queue the next host is to continue when it starts. */
  markForNextStart(sessionId: string): Promise<void>
  /** The marked sessions, which are no longer marked then. */
  takeMarked(): Promise<string[]>
}

/** What a run starts from. */
export type RunTrigger =
  /** A new user message, with the rewind that must come before it. */
  | { type: 'message'; message: NewMessage; change: HistoryChange | null }
  /**
   * The queued message with this id, or the earliest one, with the rewind that must come before it; `model` becomes its own
   * if it names none. Where it no longer waits, nothing is changed.
   */
  | { type: 'queued'; messageId: string | null; model: ModelRef; change: HistoryChange | null }
  /** The conversation as it is after the rewind. */
  | { type: 'existing'; change: HistoryChange | null }

/** The session as a run found it, and the message that started the run. */
export type RunBeginning = { session: Session; message: StoredMessage | null }

export type PartWrite = { id: string; index: number; data: ChatPart }
export type SteeringWrite = PartWrite & { data: SteeringPart }

/** A row of a run's chunk log, which the store numbers 1, 2, 3, ... as they come. */
export type LogRecord = RunEpoch & {
  /** None appends no row. */
  chunks: readonly ChatChunk[]
  /** The open parts of the message, when the write folds the log into its parts; null when it only appends. */
  open: Reduction['open'] | null
}

/**
 * One write of a recorder: appends to the run's log and, when it folds, upserts what has changed of the message since
 * the last fold.
 */
export type RecordWrite = {
  log: LogRecord
  sessionId: string
  messageId: string
  /** The whole metadata, with which the row is made and takes the next `seq`; null leaves the row as it is. */
  metadata: MessageMetadata | null
  createdAt: number
  parts: PartWrite[]
  at: number
  /** What is added to the spending of sessions. */
  spent?: readonly SessionSpending[]
  /** The end of a step, when it was not committed by itself: it is stored with the write that follows. */
  step?: StepEnding
}

/** What ends a step: everything of it in one transaction. */
export type StepCommit = RecordWrite & StepEnding

export interface RunStore {
  /**
   * Claims the session and persists what starts the run, in one transaction. `SESSION_BUSY` when it is claimed,
   * `SESSION_NOT_FOUND`, `SESSION_ARCHIVED` and `MESSAGE_NOT_FOUND` as they read, `CONFLICT` when the message's id is
   * taken, when the queued message named has fired or was cancelled, or when the history has grown since the change was
   * planned.
   * Null when the queue was asked for and is empty. Sets the session's model to the message's, and a session without a
   * name takes the first words of the message as its title (`titledBy: 'first-words'`). The claim expires
   * `LEASE_MS` after `startedAt`.
   */
  begin(run: RunLease, trigger: RunTrigger): Promise<RunBeginning | null>
  /**
   * Saves what has streamed. Calls of many runs may share one write. Resolves once it is on disk. A write whose epoch is
   * not that of the session's claim changes nothing and is `SESSION_NOT_RUNNING`, or `SESSION_NOT_FOUND`; so for each
   * write of a run.
   */
  record(write: RecordWrite): Promise<void>
  commitStep(step: StepCommit): Promise<Session>
  /**
   * Takes the queued messages marked `steer` out of the queue, in order, and writes their words into the run's reply,
   * behind its last part; they are appended to the log as chunks. Their rows get a `seq` and are hidden by `runId`. Answers
   * the parts as written.
   */
  takeSteering(runId: string, reply: RecordWrite): Promise<SteeringWrite[]>
  /** Stores asks of a run with what it has written so far. */
  ask(write: RecordWrite, asks: readonly Ask[]): Promise<void>
  /**
   * Lets a run wait for the replies to its asks: its claim is no host's until `resume`, and does not expire. Null when none
   * of its asks is open; the claim stays as it is then.
   */
  pause(run: RunLease, write: RecordWrite, at: number): Promise<Session | null>
  /** Makes the claim of a waiting run this host's, in the next epoch. Null when it does not wait, or has an open ask. */
  resume(runId: string, at: number): Promise<RunLease | null>
  /** Claims the run again even with open asks, so that it can be ended. */
  interrupt(runId: string, at: number): Promise<RunLease | null>
  /** The runs that wait. */
  waiting(): Promise<WaitingRun[]>
  /**
   * The last write of a run, with its terminal chunk, and the end of its claim and of its open asks. `last` is null when no
   * assistant message was begun: then the log gets `NO_REPLY`.
   */
  end(run: RunLease, last: RecordWrite | null, at: number): Promise<Session>
  /** Lets the claims of these runs of this host expire `LEASE_MS` after `at`. Answers the runs that still have theirs. */
  renew(runIds: string[], at: number): Promise<string[]>
  /** Claims that have expired, with their epochs, each with its unfinished assistant message. A waiting run has none. */
  orphans(at: number): Promise<{ lease: RunLease; message: StoredMessage | null }[]>
  /**
   * Makes an expired claim this host's, in the next epoch, so that its run can be ended; until it is, the claim counts as
   * expired. Null when another host has taken it, renewed it, or ended it.
   */
  takeOver(lease: RunLease, at: number): Promise<RunLease | null>
  /** The log of a run, in order. */
  log(runId: string): Promise<{ no: number; epoch: number; chunks: ChatChunk[] }[]>
  /** Deletes the log of a run, or those of all runs without a claim. A run that is on keeps its log. */
  dropLog(runId: string | 'unclaimed'): Promise<void>
}

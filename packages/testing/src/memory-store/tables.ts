import {
  AppError,
  type Ask,
  type AskKind,
  type BlobRow,
  type ChatChunk,
  type FileChangeRow,
  type GivenRule,
  type HistoryOperation,
  joinTail,
  type LogTail,
  type Memory,
  type Session,
  type StoredMessage,
} from '@palimpsest/core/domain'
import type { ProviderRow, RunLease, StoredBudget } from '@palimpsest/core/ports'

export type LogRow = { no: number; epoch: number; chunks: ChatChunk[] }

/** A claim, and how far the log of its run is folded into the parts of its reply. */
export type MemoryLease = RunLease & {
  owner: object
  expiresAt: number
  folded: { messageId: string; no: number; open: LogTail['open'] } | null
  waiting: { messageId: string; on: AskKind } | null
}

/** What a memory store holds. Two stores on the same tables are a host and the one started after it. */
export type MemoryTables = {
  storeId: string
  sessions: Map<string, Session>
  messages: Map<string, StoredMessage>
  /** The run that holds a session, and which store claimed it. */
  leases: Map<string, MemoryLease>
  /** The chunk logs, by run. */
  logs: Map<string, LogRow[]>
  /** In the order in which they were made. */
  asks: Map<string, Ask>
  /** Rules for all sessions of a workspace, in the order in which they were given. */
  projectRules: (GivenRule & { workspaceRoot: string })[]
  systemPrompts: Map<string, string>
  /** In the order in which they happened. */
  operations: HistoryOperation[]
  /** Ids of messages whose text can be searched, in the order in which they settled. */
  searchable: string[]
  /** By hash. */
  blobs: Map<string, BlobRow>
  /** Sessions whose queue the next host is to continue. */
  marked: Set<string>
  /** Where rows of a list were before they moved to its top. */
  moves: { id: string; updatedAt: number }[]
  /** By session; of those that have spent something or have limits. */
  budgets: Map<string, StoredBudget>
  settings: Map<string, unknown>
  /** In the order in which they were entered. */
  providers: Map<string, ProviderRow>
  /** By id. */
  memories: Map<string, Memory>
  /** The journal of files, by ordinal. */
  fileChanges: FileChangeRow[]
  lastFileChange: number
}

export function createMemoryTables(storeId = 'memory'): MemoryTables {
  return {
    storeId,
    sessions: new Map(),
    messages: new Map(),
    leases: new Map(),
    logs: new Map(),
    asks: new Map(),
    projectRules: [],
    systemPrompts: new Map(),
    operations: [],
    searchable: [],
    blobs: new Map(),
    marked: new Set(),
    moves: [],
    budgets: new Map(),
    settings: new Map(),
    providers: new Map(),
    memories: new Map(),
    fileChanges: [],
    lastFileChange: 0,
  }
}

/** What JSON keeps of a value, apart from it from then on. */
export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

/** Runs `work` now, and answers a copy of its result. A failure must come before its first change. */
export function atomically<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    const result = work()
    resolve(result === undefined ? result : copy(result))
  })
}

export function existingSession(tables: MemoryTables, sessionId: string): Session {
  const session = tables.sessions.get(sessionId)
  if (session === undefined || session.deletedAt !== null)
    throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  return session
}

/** Whether the session is in the bin. */
export function isDeleted(tables: MemoryTables, sessionId: string): boolean {
  return (tables.sessions.get(sessionId)?.deletedAt ?? null) !== null
}

export function existingMessage(tables: MemoryTables, sessionId: string, messageId: string): StoredMessage {
  const message = tables.messages.get(messageId)
  if (message?.sessionId !== sessionId) throw missingMessage()
  return message
}

function missingMessage(): AppError {
  return new AppError('MESSAGE_NOT_FOUND', 'This message does not exist in the session.')
}

export function messagesOf(tables: MemoryTables, sessionId: string): StoredMessage[] {
  return tables.messages
    .values()
    .filter((message) => message.sessionId === sessionId)
    .toArray()
    .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
}

/** The message with what its run's log holds beyond its parts. */
export function withTail(tables: MemoryTables, message: StoredMessage): StoredMessage {
  const lease = tables.leases.get(message.sessionId)
  if (lease?.folded?.messageId !== message.id) return message
  const { no, open } = lease.folded
  const rows = (tables.logs.get(lease.runId) ?? []).filter((row) => row.no > no)
  return joinTail(message, { open, chunks: rows.flatMap(({ chunks }) => chunks) })
}

/** About the bytes of a message's parts. */
export function sizeOf({ parts }: StoredMessage): number {
  return parts.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)
}

export function queuedOf(tables: MemoryTables, sessionId: string): StoredMessage[] {
  return messagesOf(tables, sessionId)
    .filter((message) => message.queuedAt !== null && message.hiddenAt === null)
    .sort((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0))
}

/** Messages that have a place, in order. */
export function placedOf(tables: MemoryTables, sessionId: string): (StoredMessage & { seq: number })[] {
  return messagesOf(tables, sessionId).filter(
    (message): message is StoredMessage & { seq: number } => message.seq !== null,
  )
}

export function lastSeq(tables: MemoryTables, sessionId: string): number {
  return placedOf(tables, sessionId).at(-1)?.seq ?? 0
}

export function nextSeq(tables: MemoryTables, sessionId: string): number {
  return lastSeq(tables, sessionId) + 1
}

/** Notes a change of the session or its history. */
export function touch(tables: MemoryTables, session: Session, at: number): Session {
  tables.moves.push({ id: session.id, updatedAt: session.updatedAt })
  session.updatedAt = at
  session.revision += 1
  return session
}

/** Lets searches find the message, as the newest of all unless it was found before. */
export function makeSearchable(tables: MemoryTables, messageId: string): void {
  if (!tables.searchable.includes(messageId)) tables.searchable.push(messageId)
}

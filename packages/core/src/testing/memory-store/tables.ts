import { AppError, type Session, type StoredMessage } from '../../domain/index.ts'
import type { HideFrom, RunLease } from '../../ports/index.ts'

/** What a memory store holds. Two stores on the same tables are a host and the one started after it. */
export type MemoryTables = {
  storeId: string
  sessions: Map<string, Session>
  messages: Map<string, StoredMessage>
  /** The run that holds a session, and which store claimed it. */
  leases: Map<string, RunLease & { owner: object }>
  systemPrompts: Map<string, string>
  operations: { id: string; sessionId: string; targetMessageId: string; hidden: string[]; at: number }[]
  /** Ids of messages whose text can be searched, in the order in which they settled. */
  searchable: string[]
  /** Where rows of a list were before they moved to its top. */
  moves: { id: string; updatedAt: number }[]
}

export function createMemoryTables(storeId = 'memory'): MemoryTables {
  return {
    storeId,
    sessions: new Map(),
    messages: new Map(),
    leases: new Map(),
    systemPrompts: new Map(),
    operations: [],
    searchable: [],
    moves: [],
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
  if (session === undefined) throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  return session
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

export function queuedOf(tables: MemoryTables, sessionId: string): StoredMessage[] {
  return messagesOf(tables, sessionId)
    .filter((message) => message.queuedAt !== null && message.hiddenAt === null)
    .sort((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0))
}

export function nextSeq(tables: MemoryTables, sessionId: string): number {
  return Math.max(0, ...messagesOf(tables, sessionId).map((message) => message.seq ?? 0)) + 1
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

/** Hides what is visible from the message on (`itself`) or after it; answers the ids, in order. */
export function hideFrom(
  tables: MemoryTables,
  sessionId: string,
  { messageId, operationId }: HideFrom,
  { itself, at }: { itself: boolean; at: number },
): string[] {
  const from = hideTarget(tables, sessionId, messageId)
  const hiding = messagesOf(tables, sessionId).filter(
    ({ seq, hiddenAt }) => seq !== null && hiddenAt === null && (itself ? seq >= from : seq > from),
  )
  for (const message of hiding) Object.assign(message, { hiddenAt: at, hiddenBy: operationId, updatedAt: at })
  const hidden = hiding.map(({ id }) => id)
  if (hidden.length > 0) {
    tables.operations.push({ id: operationId, sessionId, targetMessageId: messageId, hidden, at })
  }
  return hidden
}

/** The `seq` of the user message to hide from; fails when it is none. */
function hideTarget(tables: MemoryTables, sessionId: string, messageId: string): number {
  const { role, seq } = existingMessage(tables, sessionId, messageId)
  if (seq === null) throw missingMessage()
  if (role !== 'user') {
    throw new AppError('INVALID_INPUT', 'Only a user message can be gone back to.', { field: 'messageId' })
  }
  return seq
}

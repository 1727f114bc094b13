import {
  AppError,
  addTokens,
  type ChatChunk,
  createId,
  LEASE_MS,
  type MessageMetadata,
  NO_REPLY,
  nameByMessage,
  type Session,
  type StoredMessage,
  toSteeringPart,
  totalTokens,
} from '@palimpsest/core/domain'
import type {
  HistoryChange,
  RecordWrite,
  RunBeginning,
  RunEpoch,
  RunLease,
  RunStore,
  RunTrigger,
  SteeringWrite,
  StepCommit,
  StepEnding,
} from '@palimpsest/core/ports'
import { applyChange, checkChange, setContext } from './apply-change.ts'
import { cancelAsks } from './asks.ts'
import { assertBlobs, nameBlobs } from './blobs.ts'
import { addSpent } from './budgets.ts'
import { fire, insertMessage, refuseTakenId, waiting } from './queue.ts'
import {
  atomically,
  copy,
  existingMessage,
  existingSession,
  type MemoryLease,
  type MemoryTables,
  makeSearchable,
  messagesOf,
  nextSeq,
  queuedOf,
  touch,
  withTail,
} from './tables.ts'
import { createMemoryWaiting } from './waiting.ts'

export function createMemoryRuns(tables: MemoryTables): RunStore {
  const owner = {}
  // One host at a time: those before this one are gone.
  for (const lease of tables.leases.values()) lease.expiresAt = 0

  return {
    begin: (run, trigger) =>
      atomically(() => {
        const session = existingSession(tables, run.sessionId)
        if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
        if (tables.leases.has(run.sessionId)) throw new AppError('SESSION_BUSY', 'This session is busy.')
        const begun = start(tables, run, trigger)
        if (begun === null) return null
        const expiresAt = run.startedAt + LEASE_MS
        tables.leases.set(run.sessionId, { ...run, owner, expiresAt, folded: null, waiting: null })
        const model = begun.message?.metadata.model
        if (model !== undefined) session.model = copy(model)
        if (begun.message !== null)
          Object.assign(
            session,
            nameByMessage(
              session,
              begun.message.parts.map(({ data }) => data),
            ),
          )
        return { session: touch(tables, session, run.startedAt), ...begun }
      }),
    record: (write) => atomically(() => record(tables, write)),
    commitStep: (step) => atomically(() => commitStep(tables, step)),
    takeSteering: (runId, reply) => atomically(() => takeSteering(tables, runId, reply)),
    ...createMemoryWaiting(tables, owner, record),
    end: (run, last, at) =>
      atomically(() => {
        const session = existingSession(tables, run.sessionId)
        requireClaim(tables, run.sessionId, run)
        if (last === null) appendChunks(tables, run, [NO_REPLY])
        else {
          record(tables, last)
          makeSearchable(tables, last.messageId)
        }
        tables.leases.delete(run.sessionId)
        cancelAsks(tables, run.runId)
        return touch(tables, session, at)
      }),
    renew: (runIds, at) =>
      atomically(() => {
        const own = tables.leases
          .values()
          .filter((lease) => lease.owner === owner && lease.waiting === null && runIds.includes(lease.runId))
          .toArray()
        for (const lease of own) lease.expiresAt = at + LEASE_MS
        return own.map(({ runId }) => runId)
      }),
    orphans: (at) =>
      atomically(() =>
        tables.leases
          .values()
          .filter((lease) => lease.expiresAt <= at && lease.waiting === null)
          .map(({ runId, sessionId, startedAt, epoch }) => ({
            lease: { runId, sessionId, startedAt, epoch },
            message: replyOf(tables, sessionId, runId),
          }))
          .toArray(),
      ),
    takeOver: (lease, at) =>
      atomically(() => {
        const claim = tables.leases.get(lease.sessionId)
        const { runId, epoch } = lease
        if (claim?.runId !== runId || claim.epoch !== epoch || claim.waiting !== null) return null
        if (claim.expiresAt > at) return null
        Object.assign(claim, { owner, epoch: epoch + 1, expiresAt: at })
        return { ...lease, epoch: epoch + 1 }
      }),
    log: (runId) => atomically(() => tables.logs.get(runId) ?? []),
    dropLog: (runId) =>
      atomically(() => {
        const claimed = new Set(tables.leases.values().map((lease) => lease.runId))
        const dropped = runId === 'unclaimed' ? [...tables.logs.keys()] : [runId]
        for (const id of dropped) if (!claimed.has(id)) tables.logs.delete(id)
      }),
  }
}

function replyOf(tables: MemoryTables, sessionId: string, runId: string): StoredMessage | null {
  const reply = messagesOf(tables, sessionId).findLast((found) => isReplyOf(found, runId))
  return reply === undefined ? null : withTail(tables, reply)
}

function isReplyOf({ role, metadata }: StoredMessage, runId: string): boolean {
  return role === 'assistant' && metadata.runId === runId && metadata.compactionId === undefined
}

function start(
  tables: MemoryTables,
  { runId, sessionId, startedAt: at }: RunLease,
  trigger: RunTrigger,
): Omit<RunBeginning, 'session'> | null {
  switch (trigger.type) {
    case 'existing': {
      const { change } = trigger
      if (change !== null) makeChange(tables, change)
      return { message: null }
    }
    case 'queued': {
      const { messageId, model, change } = trigger
      const message =
        messageId === null ? queuedOf(tables, sessionId)[0] : waiting(tables, sessionId, messageId)
      if (message === undefined) return null
      if (change !== null) makeChange(tables, change)
      message.metadata = { model: copy(model), ...message.metadata }
      fire(tables, message, runId, at)
      return { message }
    }
    case 'message': {
      const { message, change } = trigger
      refuseTakenId(tables, message.id)
      assertBlobs(tables, message.parts)
      if (change !== null) makeChange(tables, change)
      const stored = insertMessage(tables, message, { seq: nextSeq(tables, sessionId), queuedAt: null, at })
      makeSearchable(tables, stored.id)
      return { message: stored }
    }
  }
}

function makeChange(tables: MemoryTables, change: HistoryChange): void {
  checkChange(tables, change)
  applyChange(tables, change)
}

function record(tables: MemoryTables, write: RecordWrite): void {
  existingSession(tables, write.sessionId)
  requireClaim(tables, write.sessionId, write.log)
  if (write.log.open !== null || write.metadata !== null) fold(tables, write)
  appendLog(tables, write)
  if (write.spent !== undefined) addSpent(tables, write.spent)
  if (write.step !== undefined) endStep(tables, write, write.step)
}

export function requireClaim(
  tables: MemoryTables,
  sessionId: string,
  { runId, epoch }: RunEpoch,
): MemoryLease {
  const claim = tables.leases.get(sessionId)
  if (claim?.runId === runId && claim.epoch === epoch) return claim
  throw new AppError('SESSION_NOT_RUNNING', 'This run no longer holds its session.')
}

function appendLog(tables: MemoryTables, { sessionId, messageId, log }: RecordWrite): void {
  const claim = requireClaim(tables, sessionId, log)
  const no = appendChunks(tables, log, log.chunks)
  if (log.open !== null) claim.folded = { messageId, no, open: copy(log.open) }
}

/** Returns the number of the last row. */
function appendChunks(
  tables: MemoryTables,
  { runId, epoch }: RunEpoch,
  chunks: readonly ChatChunk[],
): number {
  const rows = tables.logs.get(runId) ?? []
  if (chunks.length > 0) rows.push(copy({ no: rows.length + 1, epoch, chunks: [...chunks] }))
  tables.logs.set(runId, rows)
  return rows.length
}

function fold(tables: MemoryTables, write: RecordWrite): void {
  const { metadata, messageId, sessionId, at } = write
  const known = tables.messages.get(messageId)
  const message =
    metadata === null
      ? existingMessage(tables, sessionId, messageId)
      : Object.assign(known ?? beginReply(tables, write, metadata), {
          metadata: copy(metadata),
          updatedAt: at,
        })
  for (const { id, index, data } of copy(write.parts)) {
    const prunedAt = message.parts.find((part) => part.id === id)?.prunedAt ?? null
    message.parts = message.parts.filter((part) => part.id !== id).concat({ id, index, data, prunedAt })
  }
  message.parts.sort((a, b) => a.index - b.index)
  nameBlobs(
    tables,
    write.parts.map(({ data }) => data),
  )
}

function beginReply(
  tables: MemoryTables,
  { messageId: id, sessionId, createdAt, at }: RecordWrite,
  metadata: MessageMetadata,
): StoredMessage {
  const message = { id, sessionId, role: 'assistant' as const, metadata, parts: [] }
  const stored = insertMessage(tables, message, { seq: nextSeq(tables, sessionId), queuedAt: null, at })
  stored.createdAt = createdAt
  return stored
}

function commitStep(tables: MemoryTables, step: StepCommit): Session {
  record(tables, { ...step, step })
  makeSearchable(tables, existingMessage(tables, step.sessionId, step.messageId).id)
  return copy(existingSession(tables, step.sessionId))
}

function endStep(tables: MemoryTables, { sessionId, at }: RecordWrite, step: StepEnding): void {
  const session = existingSession(tables, sessionId)
  if (step.usage !== null) addUsage(session, step.usage)
  const { contextTokens, contextEstimated } = step
  if (contextTokens !== null) setContext(session, { contextTokens, contextEstimated })
  if (step.systemPrompt !== null) tables.systemPrompts.set(step.systemPrompt.digest, step.systemPrompt.body)
  session.model = copy(step.model)
  touch(tables, session, at)
}

function takeSteering(tables: MemoryTables, runId: string, reply: RecordWrite): SteeringWrite[] {
  const { sessionId, at } = reply
  const session = existingSession(tables, sessionId)
  record(tables, reply)
  const { parts } = existingMessage(tables, sessionId, reply.messageId)
  const steering = queuedOf(tables, sessionId).filter(({ metadata }) => metadata.steer)
  if (steering.length > 0) touch(tables, session, at)
  const taken = steering.map((message) => {
    fire(tables, message, runId, at)
    Object.assign(message, { hiddenAt: at, hiddenBy: runId })
    const written = { id: createId('prt'), index: parts.length, data: toSteeringPart(message) }
    parts.push({ ...copy(written), prunedAt: null })
    return written
  })
  appendLog(tables, { ...reply, log: { ...reply.log, chunks: taken.map(({ data }) => data) } })
  return taken
}

export function addUsage(session: Session, usage: NonNullable<StepEnding['usage']>): void {
  const sum = addTokens(
    {
      input: session.promptTokens,
      output: session.completionTokens,
      reasoning: session.reasoningTokens,
      cacheRead: session.cacheRead,
      cacheWrite: session.cacheWrite,
    },
    usage,
  )
  session.promptTokens = sum.input
  session.completionTokens = sum.output
  session.reasoningTokens = sum.reasoning
  session.cacheRead = sum.cacheRead
  session.cacheWrite = sum.cacheWrite
  session.totalTokens = totalTokens(sum)
}

import {
  AppError,
  createId,
  type MessageUsage,
  type Session,
  type StoredMessage,
} from '@palimpsest/core/domain'
import type { BranchCopy } from '@palimpsest/core/ports'
import { setContext } from './apply-change.ts'
import { budgetOf } from './budgets.ts'
import { addUsage } from './runs.ts'
import { addSession } from './sessions.ts'
import { copy, existingSession, type MemoryTables, makeSearchable, placedOf } from './tables.ts'

/** Makes a session of copies of the messages at `seqs`. */
export function branchSession(
  tables: MemoryTables,
  { session, seqs, operation, ...context }: BranchCopy,
): Session {
  const { sessionId: parentId } = operation
  const bySeq = new Map(placedOf(tables, parentId).map((message) => [message.seq, message]))
  const originals = seqs.map((seq) => {
    const original = bySeq.get(seq)
    if (original === undefined)
      throw new AppError('CONFLICT', 'The history has changed since this was planned.')
    return original
  })
  if (tables.sessions.has(session.id)) throw new AppError('CONFLICT', 'Another session has this id.')
  if (tables.operations.some(({ id }) => id === operation.id)) {
    throw new AppError('CONFLICT', 'Another operation has this id.')
  }
  const branch = addSession(tables, session)
  branch.workerId = existingSession(tables, parentId).workerId
  setContext(branch, context)
  for (const [place, original] of originals.entries()) {
    const copied = copyOf(original, session, place + 1)
    tables.messages.set(copied.id, copied)
    makeSearchable(tables, copied.id)
    if (copied.role === 'assistant' && copied.metadata.usage) addUsage(branch, counts(copied.metadata.usage))
  }
  tables.budgets.set(session.id, copy(budgetOf(tables, parentId)))
  tables.operations.push(structuredClone(operation))
  return branch
}

function copyOf(original: StoredMessage, { id: sessionId }: { id: string }, seq: number): StoredMessage {
  return {
    ...copy(original),
    id: createId('msg'),
    sessionId,
    seq,
    parts: copy(original.parts).map((part) => ({ ...part, id: createId('prt') })),
    hiddenAt: null,
    hiddenBy: null,
    queuedAt: null,
  }
}

function counts({ input, output, reasoning, cacheRead, cacheWrite }: MessageUsage) {
  return { input, output, reasoning, cacheRead, cacheWrite }
}

import { AppError } from '@palimpsest/core/domain'
import type { SubagentStore } from '@palimpsest/core/ports'
import { insertMessage, refuseTakenId } from './queue.ts'
import { atomically, existingSession, type MemoryTables, makeSearchable, nextSeq, touch } from './tables.ts'

export function createMemorySubagents(tables: MemoryTables): SubagentStore {
  return {
    undelivered: (parentId) =>
      atomically(() =>
        [...tables.sessions.values()]
          .filter(
            ({ metadata, deletedAt, ...session }) =>
              metadata.subagent?.undelivered === true &&
              deletedAt === null &&
              (parentId === null || session.parentId === parentId),
          )
          .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
      ),
    startedBy: (parentId, messageId) =>
      atomically(() =>
        [...tables.sessions.values()]
          .filter((one) => one.metadata.subagent !== undefined && one.parentId === parentId)
          .filter(({ parentMessageId }) => parentMessageId === messageId)
          .map(({ id }) => id),
      ),
    deliver: (sessionId, given, at) =>
      atomically(() => {
        const session = existingSession(tables, sessionId)
        const { subagent } = session.metadata
        if (subagent?.undelivered !== true) return null
        const parent = existingSession(tables, session.parentId ?? '')
        if (tables.leases.has(parent.id)) throw new AppError('SESSION_BUSY', 'This session is busy.')
        refuseTakenId(tables, given.id)
        const { undelivered: _, ...landed } = subagent
        session.metadata = { ...session.metadata, subagent: landed }
        touch(tables, session, at)
        const seq = nextSeq(tables, parent.id)
        const message = insertMessage(tables, { ...given, sessionId: parent.id }, { seq, queuedAt: null, at })
        makeSearchable(tables, message.id)
        return { parent: touch(tables, parent, at), message }
      }),
  }
}

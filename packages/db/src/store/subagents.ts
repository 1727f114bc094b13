import { AppError } from '@palimpsest/core/domain'
import type { SubagentStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { type SessionRow, toSession } from '../rows/session-row.ts'
import { isAnyClaimed } from '../sql/bin-rows.ts'
import { sessionColumns } from '../sql/session-rows.ts'
import { existingSession, touchSession } from './session-changes.ts'
import { insertMessage, makeSearchable } from './stored-messages.ts'

export function createSubagentStore(database: Database): SubagentStore {
  return {
    undelivered: (parentId) =>
      database.read(async (queries) => {
        const rows = await queries.$queryRawUnsafe<SessionRow[]>(
          `SELECT ${sessionColumns()} FROM chat_sessions
           WHERE undelivered IS NOT NULL AND deleted_at IS NULL ${parentId === null ? '' : 'AND parent_id = ?'}
           ORDER BY created_at, id`,
          ...(parentId === null ? [] : [parentId]),
        )
        return rows.map((row) => toSession(row, queries.note))
      }),

    startedBy: (parentId, messageId) =>
      database.read(async (queries) => {
        const rows = await queries.$queryRawUnsafe<SessionRow[]>(
          `SELECT ${sessionColumns()} FROM chat_sessions WHERE parent_id = ? AND parent_message_id = ?`,
          parentId,
          messageId,
        )
        const sessions = rows.map((row) => toSession(row, queries.note))
        return sessions.flatMap(({ id, metadata }) => (metadata.subagent === undefined ? [] : [id]))
      }),

    deliver: (sessionId, given, at) =>
      database.write(async (queries) => {
        const { parentId, metadata } = toSession(await existingSession(queries, sessionId), queries.note)
        const { subagent } = metadata
        if (subagent?.undelivered !== true) return null
        const parent = await existingSession(queries, parentId ?? '')
        if (await isAnyClaimed(queries, [parent.id]))
          throw new AppError('SESSION_BUSY', 'This session is busy.')
        const { undelivered: _, ...landed } = subagent
        await touchSession(queries, sessionId, at, { metadata: { ...metadata, subagent: landed } })
        const placed = { queuedAt: null, at }
        const message = await insertMessage(queries, { ...given, sessionId: parent.id }, placed)
        await makeSearchable(queries, message)
        return { parent: toSession(await touchSession(queries, parent.id, at), queries.note), message }
      }),
  }
}

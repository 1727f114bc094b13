import { AppError } from '@palimpsest/core/domain'
import type { SessionStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries } from '../connect/statements.ts'
import { toSession } from '../rows/session-row.ts'
import {
  deletedBefore,
  deletedTogether,
  descendants,
  isAnyClaimed,
  setDeleted,
  workspacesAfter,
  workspacesOf,
} from '../sql/bin-rows.ts'
import { blobsOfSession, deleteUnnamed } from '../sql/blob-rows.ts'
import { deleteUnnamedPrompts, promptsOfSessions } from '../sql/prompt-rows.ts'
import { readSession, sessionHolding } from '../sql/session-rows.ts'
import { forgetTexts } from '../sqlite/search-index.ts'
import { existingSession, missingSession } from './session-changes.ts'

type Bin = Pick<SessionStore, 'deletion' | 'delete' | 'restore' | 'purge' | 'locate' | 'expired'>

const EXPIRED_AT_ONCE = 100

export function createSessionBin(database: Database): Bin {
  return {
    deletion: (sessionId, withBranches) =>
      database.read(async (queries) => {
        if ((await readSession(queries, sessionId)) === undefined) missingSession()
        const sessions = await descendants(queries, sessionId, withBranches)
        return sessions.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
      }),
    delete: (sessionId, { withBranches, at }) =>
      database.write(async (queries) => {
        await existingSession(queries, sessionId)
        const sessions = await descendants(queries, sessionId, withBranches)
        const ids = sessions.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
        if (await isAnyClaimed(queries, ids)) throw new AppError('SESSION_BUSY', 'This session is busy.')
        // What was deleted before on its own is not part of this deletion.
        const deletedAt = sessions.reduce(
          (time, session) => Math.max(time, (session.deletedAt ?? -1) + 1),
          at,
        )
        const rows = await setDeleted(queries, ids, { deletedAt, at: deletedAt })
        return rows.map((row) => toSession(row, queries.note))
      }),
    restore: (sessionId, at) =>
      database.write(async (queries) => {
        const ids = await deletedTogether(queries, sessionId)
        const rows = await setDeleted(queries, ids, { deletedAt: null, at })
        return rows.map((row) => toSession(row, queries.note))
      }),
    purge: (sessionId) =>
      database.write(async (queries) => {
        const ids = await deletedTogether(queries, sessionId)
        if (ids.length === 0) {
          await existingSession(queries, sessionId)
          throw new AppError('CONFLICT', 'This session is not in the bin.')
        }
        const named = await Promise.all(ids.map((id) => blobsOfSession(queries, id)))
        const prompts = await promptsOfSessions(queries, ids)
        const roots = await workspacesOf(queries, ids)
        for (const id of ids) await remove(queries, id)
        await deleteUnnamedPrompts(queries, prompts)
        const hashes = named.flat().map(({ hash }) => hash)
        const blobs = await deleteUnnamed(queries, hashes)
        return { sessions: ids, blobs, workspaces: await workspacesAfter(queries, roots) }
      }),
    locate: (id) =>
      database.read(async (queries) => {
        const row = await sessionHolding(queries, id)
        return row === undefined ? null : toSession(row, queries.note)
      }),
    expired: (before, except = []) =>
      database.read((queries) => deletedBefore(queries, { before, except, limit: EXPIRED_AT_ONCE })),
  }
}

/** Reads none of the rows, so that one with a broken value goes as well. */
async function remove(queries: RawQueries, sessionId: string): Promise<void> {
  await forgetTexts(queries, sessionId)
  await queries.$executeRawUnsafe(
    `UPDATE chat_sessions SET parent_id = NULL, parent_message_id = NULL, revision = revision + 1
     WHERE parent_id = ?`,
    sessionId,
  )
  // Reads nothing of the row, which may hold what no read takes.
  await queries.$executeRawUnsafe('DELETE FROM chat_sessions WHERE id = ?', sessionId)
}

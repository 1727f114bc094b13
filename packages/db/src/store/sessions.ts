import {
  AppError,
  decodeSessionCursor,
  encodeSessionCursor,
  repeatsCreation,
  type Session,
  takesGeneratedTitle,
} from '@palimpsest/core/domain'
import type { NewSession, Page, SessionQuery, SessionStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { toSession, writeModel } from '../rows/session-row.ts'
import { addSession, readSession, sessionsByIds } from '../sql/session-rows.ts'
import { indexTitle } from '../sqlite/search-index.ts'
import { sessionPage } from '../sqlite/session-page.ts'
import type { GroupCommit } from './group-commit.ts'
import { createSessionBin } from './session-bin.ts'
import { existingSession, touchSession } from './session-changes.ts'

export function createSessionStore(database: Database, commit: GroupCommit): SessionStore {
  const setTitle = async (
    queries: RawQueries,
    session: Session,
    titledBy: 'user' | 'generated',
    at: number,
  ) => {
    const { id, title, metadata } = session
    const row = await touchSession(queries, id, at, { title, metadata: { ...metadata, titledBy } })
    await indexTitle(queries, { sessionId: id, title })
    return toSession(row, queries.note)
  }

  return {
    create: (session) => commit.finish(null, (queries) => create(queries, session)),
    get: (sessionId) =>
      database.read(async (queries) => {
        const row = await readSession(queries, sessionId)
        return row === undefined ? null : toSession(row, queries.note)
      }),
    list: (query) => database.read((queries) => list(queries, query)),
    rename: (sessionId, title, at) =>
      database.write(async (queries) => {
        const session = toSession(await existingSession(queries, sessionId), queries.note)
        return setTitle(queries, { ...session, title }, 'user', at)
      }),
    setGeneratedTitle: (sessionId, title, at) =>
      database.write(async (queries) => {
        const session = toSession(await existingSession(queries, sessionId), queries.note)
        if (!takesGeneratedTitle(session)) return null
        return setTitle(queries, { ...session, title }, 'generated', at)
      }),
    setArchived: (sessionId, archivedAt, at) =>
      database.write(async (queries) =>
        toSession(await touchSession(queries, sessionId, at, { archivedAt }), queries.note),
      ),
    setModel: (sessionId, model, at) =>
      database.write(async (queries) =>
        toSession(await touchSession(queries, sessionId, at, { modelJson: writeModel(model) }), queries.note),
      ),
    setFolder: (sessionId, workspaceRoot, at) =>
      database.write(async (queries) => {
        const row = await existingSession(queries, sessionId)
        if (row.workspaceRoot === workspaceRoot) return toSession(row, queries.note)
        if (row.workspaceRoot !== null) return null
        return toSession(await touchSession(queries, sessionId, at, { workspaceRoot }), queries.note)
      }),
    setMetadata: (sessionId, metadata, at) =>
      database.write(async (queries) =>
        toSession(await touchSession(queries, sessionId, at, { metadata }), queries.note),
      ),
    ...createSessionBin(database),
  }
}

async function create(queries: RawQueries, session: NewSession): Promise<Session> {
  const { id, title } = session
  if (await addSession(queries, session, null)) {
    await indexTitle(queries, { sessionId: id, title })
    return toSession(await existingSession(queries, id), queries.note)
  }
  const row = await readSession(queries, id)
  const existing = row === undefined ? null : toSession(row, queries.note)
  if (existing !== null && repeatsCreation(existing, session)) return existing
  throw new AppError('CONFLICT', 'Another session has this id.')
}

async function list(queries: ReadQueries, query: SessionQuery): Promise<Page<Session>> {
  const cursor = query.cursor === undefined ? null : decodeSessionCursor(query.cursor)
  const { ids, next } = await sessionPage(queries, query, cursor)
  const rows = await sessionsByIds(queries, ids)
  const sessions = new Map(rows.map((row) => [row.id, toSession(row, queries.note)]))
  return {
    items: ids.flatMap((id) => sessions.get(id) ?? []),
    nextCursor: next === null ? null : encodeSessionCursor(next),
  }
}

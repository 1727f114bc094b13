import {
  AppError,
  decodeSessionCursor,
  encodeSessionCursor,
  matchesSearch,
  repeatsCreation,
  type Session,
  type SessionCursor,
  searchableText,
  searchTerms,
  takesGeneratedTitle,
} from '@palimpsest/core/domain'
import type { NewSession, Page, SessionQuery, SessionStore } from '@palimpsest/core/ports'
import { createMemoryBin } from './bin.ts'
import { atomically, copy, existingSession, isDeleted, type MemoryTables, touch } from './tables.ts'

type Place = { id: string; updatedAt: number }

export function createMemorySessions(tables: MemoryTables): SessionStore {
  const change = (sessionId: string, at: number, columns: Partial<Session>) =>
    atomically(() => Object.assign(touch(tables, existingSession(tables, sessionId), at), copy(columns)))

  return {
    create: (session) => atomically(() => create(tables, session)),
    get: (sessionId) => atomically(() => openRow(tables, sessionId)),
    list: (query) => atomically(() => list(tables, query)),
    rename: (sessionId, title, at) =>
      atomically(() => {
        const session = touch(tables, existingSession(tables, sessionId), at)
        return Object.assign(session, { title, metadata: { ...session.metadata, titledBy: 'user' } })
      }),
    setGeneratedTitle: (sessionId, title, at) =>
      atomically(() => {
        const session = existingSession(tables, sessionId)
        if (!takesGeneratedTitle(session)) return null
        const metadata = { ...session.metadata, titledBy: 'generated' }
        return Object.assign(touch(tables, session, at), { title, metadata })
      }),
    setArchived: (sessionId, archivedAt, at) => change(sessionId, at, { archivedAt }),
    setModel: (sessionId, model, at) => change(sessionId, at, { model }),
    setFolder: (sessionId, workspaceRoot, at) =>
      atomically(() => {
        const session = existingSession(tables, sessionId)
        if (session.workspaceRoot === workspaceRoot) return session
        if (session.workspaceRoot !== null) return null
        return Object.assign(touch(tables, session, at), { workspaceRoot })
      }),
    setMetadata: (sessionId, metadata, at) => change(sessionId, at, { metadata }),
    ...createMemoryBin(tables),
  }
}

function openRow(tables: MemoryTables, sessionId: string): Session | null {
  return isDeleted(tables, sessionId) ? null : (tables.sessions.get(sessionId) ?? null)
}

function create(tables: MemoryTables, { at, ...content }: NewSession): Session {
  const existing = tables.sessions.get(content.id)
  if (existing === undefined) return addSession(tables, { at, ...content })
  if (existing.deletedAt === null && repeatsCreation(existing, content)) return existing
  throw new AppError('CONFLICT', 'Another session has this id.')
}

export function addSession(tables: MemoryTables, { at, permissions = [], ...content }: NewSession): Session {
  const session: Session = {
    ...copy(content),
    workerId: null,
    permissions: copy(permissions),
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    contextTokens: 0,
    costUsd: null,
    revision: 0,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
    deletedAt: null,
  }
  tables.sessions.set(session.id, session)
  return session
}

function list(tables: MemoryTables, query: SessionQuery): Page<Session> {
  const cursor = query.cursor === undefined ? null : decodeSessionCursor(query.cursor)
  const asked = tables.sessions.values().filter((session) => isAsked(tables, session, query))
  const sorted = asked.toArray().sort((a, b) => (isAfter(a, b) ? 1 : -1))
  const rest = cursor === null ? sorted : sorted.filter((session) => isAfter(session, cursor))
  const moved = cursor === null ? [] : movedPast(tables, sorted, cursor)
  const late = moved.slice(0, query.limit)
  const page = rest.slice(0, query.limit - late.length)
  const items = [...late.map(({ session }) => session), ...page]
  const last = page.at(-1) ?? cursor
  const unread = moved.length > late.length ? late.at(-1)?.move : undefined
  const more = unread !== undefined || rest.length > page.length
  if (!more || last === null) return { items, nextCursor: null }
  return { items, nextCursor: encodeSessionCursor({ ...last, moves: unread ?? tables.moves.length }) }
}

/** True when the row comes after the cursor in a list: newest first, then by id from the end. */
function isAfter(row: Place, place: Place): boolean {
  return row.updatedAt === place.updatedAt ? row.id < place.id : row.updatedAt < place.updatedAt
}

/** Rows that were after the cursor and have since moved before it, so that the next page would skip them. */
function movedPast(
  tables: MemoryTables,
  sorted: Session[],
  cursor: SessionCursor,
): { session: Session; move: number }[] {
  return sorted
    .filter((session) => !isAfter(session, cursor))
    .map((session) => ({ session, move: firstMove(tables, session.id, cursor) }))
    .filter(({ move }) => move > cursor.moves)
    .sort((a, b) => a.move - b.move)
}

/** The number of the row's first move from after the cursor since it was given out; 0 without one. */
function firstMove(tables: MemoryTables, sessionId: string, cursor: SessionCursor): number {
  return (
    1 +
    tables.moves.findIndex(
      (place, index) => index >= cursor.moves && place.id === sessionId && isAfter(place, cursor),
    )
  )
}

function isAsked(tables: MemoryTables, session: Session, query: SessionQuery): boolean {
  return (
    (session.deletedAt !== null) === (query.deleted ?? false) &&
    (query.deleted || (session.archivedAt !== null) === query.archived) &&
    (query.ephemeral || session.metadata.ephemeral !== true) &&
    (query.parentId === undefined
      ? session.metadata.subagent === undefined
      : session.parentId === query.parentId) &&
    (query.agent === undefined || session.agent === query.agent) &&
    (query.workspaceRoot === undefined || session.workspaceRoot === query.workspaceRoot) &&
    (query.search === undefined || holds(tables, session, query.search))
  )
}

function holds(tables: MemoryTables, session: Session, search: string): boolean {
  const terms = searchTerms(search)
  if (terms === null) return false
  return (
    matchesSearch(session.title, terms) ||
    tables.searchable.some((id) => {
      const message = tables.messages.get(id)
      if (message?.sessionId !== session.id) return false
      return matchesSearch(searchableText(message.parts.map((part) => part.data)), terms)
    })
  )
}

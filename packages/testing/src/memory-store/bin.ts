import { AppError, type Session } from '@palimpsest/core/domain'
import type { SessionStore } from '@palimpsest/core/ports'
import { deleteUnnamed, hashesOf } from './blobs.ts'
import { atomically, existingSession, type MemoryTables, messagesOf, touch } from './tables.ts'

type Bin = Pick<SessionStore, 'deletion' | 'delete' | 'restore' | 'purge' | 'locate' | 'expired'>

const EXPIRED_AT_ONCE = 100

export function createMemoryBin(tables: MemoryTables): Bin {
  return {
    deletion: (sessionId, withBranches) =>
      atomically(() =>
        open(family(tables, existingSession(tables, sessionId), withBranches)).map(({ id }) => id),
      ),
    delete: (sessionId, { withBranches, at }) =>
      atomically(() => {
        const sessions = family(tables, existingSession(tables, sessionId), withBranches)
        if (open(sessions).some(({ id }) => tables.leases.has(id)))
          throw new AppError('SESSION_BUSY', 'This session is busy.')
        const deletedAt = sessions.reduce(
          (time, session) => Math.max(time, (session.deletedAt ?? -1) + 1),
          at,
        )
        return open(sessions).map((session) =>
          Object.assign(touch(tables, session, deletedAt), { deletedAt }),
        )
      }),
    restore: (sessionId, at) =>
      atomically(() =>
        together(tables, sessionId).map((session) =>
          Object.assign(touch(tables, session, at), { deletedAt: null }),
        ),
      ),
    purge: (sessionId) =>
      atomically(() => {
        const sessions = together(tables, sessionId)
        if (sessions.length === 0) {
          existingSession(tables, sessionId)
          throw new AppError('CONFLICT', 'This session is not in the bin.')
        }
        const hashes = sessions.flatMap(({ id }) => [...hashesOf(tables, id)])
        for (const { id } of sessions) remove(tables, id)
        removeUnnamedPrompts(tables)
        const named = rootsOf(tables.sessions.values())
        const unnamed = [...rootsOf(sessions).difference(named)]
        const workspaces = { unnamed, named: unnamed.length === 0 ? [] : [...named].sort() }
        const blobs = deleteUnnamed(tables, hashes)
        return { sessions: sessions.map(({ id }) => id), blobs, workspaces }
      }),
    locate: (id) =>
      atomically(
        () =>
          tables.sessions.get(id) ?? tables.sessions.get(tables.messages.get(id)?.sessionId ?? '') ?? null,
      ),
    expired: (before, except = []) =>
      atomically(() =>
        tables.sessions
          .values()
          .filter(({ deletedAt }) => deletedAt !== null && deletedAt <= before)
          .map(({ id }) => id)
          .filter((id) => !except.includes(id))
          .take(EXPIRED_AT_ONCE)
          .toArray(),
      ),
  }
}

const rootsOf = (sessions: Iterable<Session>) =>
  new Set([...sessions].flatMap(({ workspaceRoot }) => workspaceRoot ?? []))

function removeUnnamedPrompts({ messages, systemPrompts }: MemoryTables): void {
  const named = new Set(messages.values().map(({ metadata }) => metadata.systemPromptDigest))
  for (const digest of systemPrompts.keys()) if (!named.has(digest)) systemPrompts.delete(digest)
}

const open = (sessions: Session[]) => sessions.filter(({ deletedAt }) => deletedAt === null)

/** The session with its sidecars and subagents, or all its descendants, those in the bin included. */
function family(tables: MemoryTables, session: Session, withBranches: boolean): Session[] {
  const found = new Set([session])
  for (const { id } of found) {
    for (const child of tables.sessions.values()) {
      const { ephemeral, subagent } = child.metadata
      if (child.parentId === id && (withBranches || ephemeral || subagent)) found.add(child)
    }
  }
  return [...found]
}

/** A session in the bin with the descendants that were deleted together with it; none when it is not there. */
function together(tables: MemoryTables, sessionId: string): Session[] {
  const session = tables.sessions.get(sessionId)
  if (session === undefined || session.deletedAt === null) return []
  return family(tables, session, true).filter(({ deletedAt }) => deletedAt === session.deletedAt)
}

function remove(tables: MemoryTables, sessionId: string): void {
  for (const message of messagesOf(tables, sessionId)) tables.messages.delete(message.id)
  for (const child of tables.sessions.values()) {
    if (child.parentId === sessionId) {
      Object.assign(child, { parentId: null, parentMessageId: null, revision: child.revision + 1 })
    }
  }
  tables.operations = tables.operations.filter((operation) => operation.sessionId !== sessionId)
  tables.searchable = tables.searchable.filter((id) => tables.messages.has(id))
  for (const ask of tables.asks.values()) if (ask.sessionId === sessionId) tables.asks.delete(ask.id)
  tables.marked.delete(sessionId)
  tables.budgets.delete(sessionId)
  tables.fileChanges = tables.fileChanges.filter((row) => row.sessionId !== sessionId)
  tables.sessions.delete(sessionId)
}

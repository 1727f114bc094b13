import { AppError, inRanges, type Outline, type Session } from '@palimpsest/core/domain'
import type { HistoryStore } from '@palimpsest/core/ports'
import { lastRewind } from '../../../core/src/history/plan/plan-rewind.ts'
import { applyChange, checkChange, setContext } from './apply-change.ts'
import { blobRowsOf } from './blobs.ts'
import { branchSession } from './branch-session.ts'
import { exportSession } from './export-session.ts'
import { importSession } from './import-session.ts'
import { requireClaim } from './runs.ts'
import {
  atomically,
  copy,
  existingMessage,
  existingSession,
  isDeleted,
  type MemoryTables,
  placedOf,
  touch,
  withTail,
} from './tables.ts'

/** Links that one call answers with. */
const LINKS_AT_ONCE = 1_000

export function createMemoryHistory(tables: MemoryTables): HistoryStore {
  return {
    outline: (sessionId) => atomically(() => outline(tables, sessionId)),
    apply: (change, run) =>
      atomically(() => {
        const { sessionId, createdAt } = change.operation
        const session = existingSession(tables, sessionId)
        if (run === undefined) refuseClaimed(tables, sessionId)
        else requireClaim(tables, sessionId, run)
        checkChange(tables, change)
        applyChange(tables, change)
        return touch(tables, session, createdAt)
      }),
    keepCondensed: ({ sessionId, messageId, condensed, at, ...context }) =>
      atomically(() => {
        const session = existingSession(tables, sessionId)
        refuseClaimed(tables, sessionId)
        const message = existingMessage(tables, sessionId, messageId)
        const { metadata } = message
        message.metadata = { ...metadata, condensed: { ...copy(condensed), ...metadata.condensed } }
        message.updatedAt = at
        setContext(session, context)
        return touch(tables, session, at)
      }),
    branch: (branch) =>
      atomically(() => {
        existingSession(tables, branch.operation.sessionId)
        refuseClaimed(tables, branch.operation.sessionId)
        return branchSession(tables, branch)
      }),
    messagesAt: (sessionId, ranges) =>
      atomically(() =>
        placedOf(tables, sessionId)
          .filter(({ seq }) => inRanges(ranges, seq))
          .map((message) => withTail(tables, message)),
      ),
    fileChangesAt: (sessionId, ranges) =>
      atomically(() =>
        placedOf(tables, sessionId)
          .filter(({ seq, metadata }) => metadata.workspace !== undefined && inRanges(ranges, seq))
          .map((message) => withTail(tables, message)),
      ),
    lastRewind: (sessionId) => atomically(() => lastRewind(outline(tables, sessionId))),
    family: (sessionId) => atomically(() => family(tables, sessionId)),
    async *exportRows(sessionId) {
      for (const line of await atomically(() => exportSession(tables, sessionId))) yield line
    },
    async openExport(sessionId) {
      const lines = await atomically(() => exportSession(tables, sessionId, true))
      const blobs = await atomically(() => blobRowsOf(tables, sessionId))
      return {
        async *rows() {
          for (const line of lines) yield await Promise.resolve(line)
        },
        blobs,
        [Symbol.dispose]() {},
      }
    },
    links: (after) =>
      atomically(() =>
        [...tables.sessions.values()]
          .filter(({ id }) => after === null || id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, LINKS_AT_ONCE)
          .map(({ id, parentId }) => ({ id, parentId })),
      ),
    importRows: async (lines, { copyId } = {}) => copy(await importSession(tables, lines, copyId)),
  }
}

function refuseClaimed(tables: MemoryTables, sessionId: string): void {
  if (tables.leases.has(sessionId)) throw new AppError('SESSION_BUSY', 'This session is busy.')
}

function outline(tables: MemoryTables, sessionId: string): Outline {
  const entries = placedOf(tables, sessionId).map(
    ({ id, seq, role, hiddenAt, hiddenBy, metadata, createdAt }) => ({
      id,
      seq,
      role,
      hiddenBy: hiddenAt === null ? null : hiddenBy,
      compactionId: metadata.compactionId ?? null,
      window: metadata.window ?? null,
      condensed: metadata.condensed !== undefined,
      createdAt,
    }),
  )
  return { entries, operations: tables.operations.filter((operation) => operation.sessionId === sessionId) }
}

function family(tables: MemoryTables, sessionId: string): Session[] {
  const found = tables.sessions.get(sessionId)
  if (found === undefined || found.deletedAt !== null) return []
  let root = found
  for (let up = parentOf(tables, root); up !== undefined; up = parentOf(tables, root)) root = up
  const ids = new Set([root.id])
  const sessions = tables.sessions
    .values()
    .filter(({ deletedAt }) => deletedAt === null)
    .toArray()
  for (let size = 0; size < ids.size; ) {
    size = ids.size
    for (const { id, parentId } of sessions) if (parentId !== null && ids.has(parentId)) ids.add(id)
  }
  return sessions.filter(({ id }) => ids.has(id)).sort((a, b) => a.createdAt - b.createdAt)
}

function parentOf(tables: MemoryTables, { parentId }: Session): Session | undefined {
  return parentId === null || isDeleted(tables, parentId) ? undefined : tables.sessions.get(parentId)
}

import { AppError, createExportReader, type ExportRows, type Session } from '@palimpsest/core/domain'
import type { HistoryStore, ImportLine } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries } from '../connect/statements.ts'
import { toOperation } from '../rows/operation-row.ts'
import { toSession } from '../rows/session-row.ts'
import { addCondensed } from '../sqlite/condensed-forms.ts'
import { exportLines } from '../sqlite/export-lines.ts'
import { familyRows } from '../sqlite/family.ts'
import { lastRewindRow, operationRows, outlineEntries } from '../sqlite/outline.ts'
import { messagesInRanges } from '../sqlite/placed-messages.ts'
import { setContext } from '../sqlite/session-context.ts'
import { claimOf, sessionRow, touchSessionRow } from '../sqlite/session-state.ts'
import { applyChange } from './apply-change.ts'
import { branchSession } from './branch-session.ts'
import { importRows } from './import-rows.ts'
import { missingMessage } from './stored-messages.ts'

export function createHistoryStore(database: Database): HistoryStore {
  return {
    outline: (sessionId) =>
      database.read(async (queries) => ({
        entries: await outlineEntries(queries, sessionId),
        operations: (await operationRows(queries, sessionId)).map(toOperation),
      })),
    apply: (change, runId) =>
      database.writeRaw(async (queries) => {
        const { sessionId, createdAt } = change.operation
        await requireFree(queries, sessionId, runId)
        await applyChange(queries, change)
        await touchSessionRow(queries, sessionId, createdAt)
        return existing(queries, sessionId)
      }),
    keepCondensed: ({ sessionId, messageId, condensed, at, ...context }) =>
      database.writeRaw(async (queries) => {
        await requireFree(queries, sessionId)
        if (!(await addCondensed(queries, { sessionId, messageId, condensed, at }))) missingMessage()
        await setContext(queries, sessionId, context)
        await touchSessionRow(queries, sessionId, at)
        return existing(queries, sessionId)
      }),
    branch: (copy) =>
      database.writeRaw(async (queries) => {
        const parentId = copy.operation.sessionId
        const { workerId } = await requireFree(queries, parentId)
        await branchSession(queries, { id: parentId, workerId }, copy)
        return existing(queries, copy.session.id)
      }),
    messagesAt: (sessionId, ranges) =>
      database.read((queries) => messagesInRanges(queries, sessionId, ranges)),
    lastRewind: (sessionId) =>
      database.read(async (queries) => {
        const row = await lastRewindRow(queries, sessionId)
        return row === undefined ? null : toOperation(row)
      }),
    family: (sessionId) =>
      database.read(async (queries) => (await familyRows(queries, sessionId)).map(toSession)),
    async *exportRows(sessionId) {
      using snapshot = database.snapshot()
      yield* exportLines(snapshot, sessionId)
    },
    async importRows(lines) {
      // Lines may come slowly, so all are there before anyone has to wait for the transaction.
      const rows = await readAll(lines)
      return database.writeRaw(async (queries) => existing(queries, await importRows(queries, rows)))
    },
  }
}

/** `SESSION_NOT_FOUND`, and `SESSION_BUSY` when another run than `runId` holds it. */
async function requireFree(queries: RawQueries, sessionId: string, runId?: string): Promise<Session> {
  const session = await existing(queries, sessionId)
  const claim = await claimOf(queries, sessionId)
  if (claim !== null && claim !== runId) throw new AppError('SESSION_BUSY', 'This session is busy.')
  return session
}

async function existing(queries: RawQueries, sessionId: string): Promise<Session> {
  const row = await sessionRow(queries, sessionId)
  if (row === undefined) throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
  return toSession(row)
}

async function readAll(lines: AsyncIterable<ImportLine>): Promise<ExportRows> {
  const reader = createExportReader()
  for await (const line of lines) await reader.read(line)
  return reader.finish()
}

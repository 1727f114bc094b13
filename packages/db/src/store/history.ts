import { AppError, createExportReader, type ExportRows, type HistoryOperation } from '@palimpsest/core/domain'
import type { HistoryStore, ImportLine, RunEpoch } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { toOperation } from '../rows/operation-row.ts'
import { type SessionRow, toSession } from '../rows/session-row.ts'
import { blobsOfSession } from '../sql/blob-rows.ts'
import { checkClaim, isClaimed } from '../sql/claim-session.ts'
import { addCondensed } from '../sql/condensed-forms.ts'
import { deletionOf, exportLines } from '../sql/export-lines.ts'
import { lastSeq } from '../sql/message-rows.ts'
import { hidingRewindRow, newestRewindRow, operationRows } from '../sql/operation-rows.ts'
import { outlineEntries } from '../sql/outline.ts'
import { fileChangesInRanges, messagesInRanges } from '../sql/placed-messages.ts'
import { setContext } from '../sql/session-context.ts'
import { familyRows, sessionLinks, sessionsByIds } from '../sql/session-rows.ts'
import { readWrittenReply } from '../sql/written-reply.ts'
import { applyChange } from './apply-change.ts'
import { branchSession } from './branch-session.ts'
import { importRows } from './import-rows.ts'
import type { SearchIndexer } from './search-indexer.ts'
import { existingSession, missingSession, touchSession } from './session-changes.ts'
import { missingMessage } from './stored-messages.ts'

export function createHistoryStore(database: Database, indexer: Pick<SearchIndexer, 'wake'>): HistoryStore {
  return {
    outline: (sessionId) =>
      database.read(async (queries) => ({
        entries: await outlineEntries(queries, sessionId),
        operations: (await operationRows(queries, sessionId)).map((row) => toOperation(row, queries.note)),
      })),
    apply: (change, run) =>
      database.write(async (queries) => {
        const { sessionId, createdAt } = change.operation
        if (run === undefined) await requireFree(queries, sessionId)
        else await requireHeld(queries, sessionId, run)
        await applyChange(queries, change)
        return toSession(await touchSession(queries, sessionId, createdAt), queries.note)
      }),
    keepCondensed: ({ sessionId, messageId, condensed, at, ...context }) =>
      database.write(async (queries) => {
        await requireFree(queries, sessionId)
        if (!(await addCondensed(queries, { sessionId, messageId, condensed, at }))) missingMessage()
        await setContext(queries, sessionId, context)
        return toSession(await touchSession(queries, sessionId, at), queries.note)
      }),
    async branch(copy) {
      const branch = await database.writeMuch(async (queries) => {
        const parentId = copy.operation.sessionId
        const { workerId } = await requireFree(queries, parentId)
        await branchSession(queries, { id: parentId, workerId }, copy)
        return toSession(await existingSession(queries, copy.session.id), queries.note)
      })
      indexer.wake()
      return branch
    },
    messagesAt: (sessionId, ranges) =>
      database.read((queries) => messagesInRanges(queries, sessionId, ranges)),
    fileChangesAt: (sessionId, ranges) =>
      database.read((queries) => fileChangesInRanges(queries, sessionId, ranges)),
    lastRewind: (sessionId) => database.read((queries) => lastRewind(queries, sessionId)),
    family: (sessionId) =>
      database.read(async (queries) =>
        (await familyRows(queries, sessionId)).map((row) => toSession(row, queries.note)),
      ),
    async *exportRows(sessionId) {
      using snapshot = database.snapshot()
      yield* exportLines(snapshot, sessionId, await readWrittenReply(snapshot, sessionId))
    },
    async openExport(sessionId) {
      const snapshot = database.snapshot()
      try {
        const blobs = await blobsOfSession(snapshot, sessionId)
        const written = await readWrittenReply(snapshot, sessionId)
        deletionOf(snapshot, sessionId)
        return {
          async *rows() {
            yield* exportLines(snapshot, sessionId, written, true)
          },
          blobs,
          [Symbol.dispose]: () => snapshot[Symbol.dispose](),
        }
      } catch (error) {
        snapshot[Symbol.dispose]()
        throw error
      }
    },
    links: (after) => database.read((queries) => sessionLinks(queries, after)),
    async importRows(lines, { copyId } = {}) {
      // Lines may come slowly, so all are there before anyone has to wait for the transaction.
      const rows = await readAll(lines)
      const session = await database.writeMuch(async (queries) =>
        toSession(await importedSession(queries, await importRows(queries, rows, copyId)), queries.note),
      )
      indexer.wake()
      return session
    },
  }
}

/** `SESSION_NOT_FOUND`, and `SESSION_BUSY` when a run holds it. */
async function requireFree(queries: RawQueries, sessionId: string): Promise<SessionRow> {
  const session = await existingSession(queries, sessionId)
  if (await isClaimed(queries, sessionId)) throw new AppError('SESSION_BUSY', 'This session is busy.')
  return session
}

/** `SESSION_NOT_FOUND`, and `SESSION_NOT_RUNNING` unless the run holds it in this epoch. */
async function requireHeld(queries: RawQueries, sessionId: string, run: RunEpoch): Promise<void> {
  await existingSession(queries, sessionId)
  await checkClaim(queries, { sessionId, ...run })
}

async function lastRewind(queries: ReadQueries, sessionId: string): Promise<HistoryOperation | null> {
  const newestRow = await newestRewindRow(queries, sessionId)
  if (newestRow === undefined) return null
  const newest = toOperation(newestRow, queries.note)
  const { kind, detail } = newest
  const onlyShowed = kind === 'rewind' && detail.shown.length > 0
  if (onlyShowed && detail.lastSeq === (await lastSeq(queries, sessionId))) return newest
  const hiding = await hidingRewindRow(queries, sessionId)
  return hiding === undefined ? null : toOperation(hiding, queries.note)
}

/** A session that was written just now, in or out of the bin. */
async function importedSession(queries: RawQueries, sessionId: string): Promise<SessionRow> {
  const [session] = await sessionsByIds(queries, [sessionId])
  return session ?? missingSession()
}

async function readAll(lines: AsyncIterable<ImportLine>): Promise<ExportRows> {
  const reader = createExportReader()
  for await (const line of lines) await reader.read(line)
  return reader.finish()
}

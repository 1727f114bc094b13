import { dirname } from 'node:path'
import { createId } from '@palimpsest/core/domain'
import type { Clock, Store } from '@palimpsest/core/ports'
import { type Database, openDatabase } from './connect/database.ts'
import { databasePath } from './connect/database-url.ts'
import { fileName, recordName } from './connect/file-name.ts'
import { lockOwnership, refuseOwned } from './connect/owner-lock.ts'
import { ensurePrivateDatabase, ensurePrivateFolder } from './connect/private-file.ts'
import { startFailure } from './connect/start-failure.ts'
import { migrate } from './migrate/migrate.ts'
import { reportOnce, type UnreadableRow } from './rows/unreadable-rows.ts'
import { createAskStore } from './store/asks.ts'
import { createBlobStore } from './store/blobs.ts'
import { createBudgetStore } from './store/budgets.ts'
import { createFileJournal } from './store/file-changes.ts'
import { createGroupCommit } from './store/group-commit.ts'
import { createHistoryStore } from './store/history.ts'
import { createMemoryTable } from './store/memories.ts'
import { createMessageStore } from './store/messages.ts'
import { createPermissionStore } from './store/permissions.ts'
import { createQueueStore } from './store/queue.ts'
import { createReportStore } from './store/reports.ts'
import { createRunStore } from './store/runs.ts'
import { createSearchIndexer } from './store/search-indexer.ts'
import { createSessionStore } from './store/sessions.ts'
import { createSettingsStore } from './store/settings.ts'
import { createSubagentStore } from './store/subagents.ts'

export type OpenStoreOptions = {
  /** `file:` and a path, relative to the folder that the host was started in. */
  url: string
  clock: Pick<Clock, 'now'>
  /** The folder of sessions that an earlier release kept without one: it worked in the first folder of the server. */
  firstFolder?: string
  /** Sees the SQL of every query. */
  observe?: (query: { sql: string }) => void
  /** Called once for each row that cannot be read, at most 1,000 times. */
  report?: (row: UnreadableRow) => void
}

/**
 * Opens the store, makes this process its owner, and brings it to the schema of this code. `INVALID_INPUT` for a URL
 * that it does not serve; `STORE_ERROR` when another process owns it, when newer code wrote it, or when its disk is full
 * or cannot be written. Dispose the store to release the file.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const path = databasePath(options.url)
  return await open(path, options).catch(async (error: unknown) => {
    throw await startFailure(path, error)
  })
}

async function open(
  given: string,
  { clock, firstFolder, observe, report = () => {} }: OpenStoreOptions,
): Promise<Store> {
  await using resources = new AsyncDisposableStack()
  await ensurePrivateFolder(dirname(given))
  const path = await fileName(given)
  // An earlier release has its lock beside the name that it was given.
  if (path !== given) refuseOwned(given)
  await ensurePrivateDatabase(path)
  resources.use(lockOwnership(path, clock.now()))
  await migrate(path)
  await recordName(path)
  const database = resources.use(await openDatabase(path, { observe, note: reportOnce(report) }))
  const storeId = await readStoreId(database)
  if (firstFolder !== undefined) await nameFirstFolder(database, firstFolder)
  const commit = createGroupCommit(database)
  const indexer = resources.use(createSearchIndexer(database))
  // An earlier process may have ended before all was indexed.
  indexer.wake()
  const opened = resources.move()
  return {
    storeId,
    sessions: createSessionStore(database, commit),
    messages: createMessageStore(database),
    queue: createQueueStore(database),
    runs: createRunStore(database, commit, indexer, createId('wrk')),
    asks: createAskStore(database),
    permissions: createPermissionStore(database),
    subagents: createSubagentStore(database),
    reports: createReportStore(database),
    history: createHistoryStore(database, indexer),
    settings: createSettingsStore(database),
    blobs: createBlobStore(database),
    memories: createMemoryTable(database),
    budgets: createBudgetStore(database),
    fileChanges: createFileJournal(database),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Sessions that a migration left with a mark in the place of their folder. */
async function nameFirstFolder(database: Database, folder: string): Promise<void> {
  await database.write((queries) =>
    queries.$executeRawUnsafe(
      "UPDATE chat_sessions SET workspace_root = ? WHERE workspace_root = '.'",
      folder,
    ),
  )
}

async function readStoreId(database: Database): Promise<string> {
  const rows = await database.write((queries) =>
    queries.$queryRawUnsafe<{ value: string }[]>(
      `INSERT INTO store_meta (key, value) VALUES ('store_id', ?)
       ON CONFLICT (key) DO UPDATE SET value = value RETURNING value`,
      crypto.randomUUID(),
    ),
  )
  return rows[0]?.value ?? ''
}

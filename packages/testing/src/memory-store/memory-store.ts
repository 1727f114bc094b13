import type { Store } from '@palimpsest/core/ports'
import { createMemoryAsks } from './asks.ts'
import { createMemoryBlobRows } from './blobs.ts'
import { createMemoryBudgets } from './budgets.ts'
import { createMemoryFileJournal } from './file-changes.ts'
import { createMemoryHistory } from './history.ts'
import { createMemoryMemories } from './memories.ts'
import { createMemoryMessages } from './messages.ts'
import { createMemoryPermissions } from './permissions.ts'
import { createMemoryQueue } from './queue.ts'
import { createMemoryReports } from './reports.ts'
import { createMemoryRuns } from './runs.ts'
import { createMemorySessions } from './sessions.ts'
import { createMemorySettings } from './settings.ts'
import { createMemorySubagents } from './subagents.ts'
import { createMemoryTables, type MemoryTables } from './tables.ts'

/** A whole store in memory. With another store's tables it acts as a host that starts after that one. */
export function createMemoryStore(tables: MemoryTables = createMemoryTables()): Store {
  return {
    storeId: tables.storeId,
    sessions: createMemorySessions(tables),
    messages: createMemoryMessages(tables),
    queue: createMemoryQueue(tables),
    runs: createMemoryRuns(tables),
    asks: createMemoryAsks(tables),
    permissions: createMemoryPermissions(tables),
    subagents: createMemorySubagents(tables),
    reports: createMemoryReports(tables),
    history: createMemoryHistory(tables),
    settings: createMemorySettings(tables),
    blobs: createMemoryBlobRows(tables),
    memories: createMemoryMemories(tables),
    budgets: createMemoryBudgets(tables),
    fileChanges: createMemoryFileJournal(tables),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

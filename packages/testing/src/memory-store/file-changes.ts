import type { FileChangeRow } from '@palimpsest/core/domain'
import { type FileJournal, JOURNAL_PAGE } from '@palimpsest/core/ports'
import { atomically, existingSession, type MemoryTables } from './tables.ts'

/** The journal of files in memory. */
export function createMemoryFileJournal(tables: MemoryTables): FileJournal {
  const add: FileJournal['add'] = (changes) => atomically(() => addFileChanges(tables, changes))
  const onDisk = ({ status }: FileChangeRow) => status === 'made' || status === 'uncertain'
  return {
    add,
    replace: (ordinals, changes) =>
      atomically(() => {
        for (const { sessionId } of changes) existingSession(tables, sessionId)
        tables.fileChanges = tables.fileChanges.filter(({ ordinal }) => !ordinals.includes(ordinal))
        return addFileChanges(tables, changes)
      }),
    update: (updates) =>
      atomically(() => {
        for (const { ordinal, ...update } of updates) {
          const row = tables.fileChanges.find((one) => one.ordinal === ordinal)
          if (row !== undefined) Object.assign(row, update)
        }
      }),
    ofSession: (sessionId, after) =>
      atomically(() =>
        tables.fileChanges
          .filter((row) => row.sessionId === sessionId && row.ordinal > after)
          .slice(0, JOURNAL_PAGE),
      ),
    latest: (sessionId, root, path) =>
      atomically(
        () =>
          tables.fileChanges.findLast(
            (row) => row.sessionId === sessionId && row.root === root && row.path === path && onDisk(row),
          ) ?? null,
      ),
    unfinished: () =>
      atomically(() => tables.fileChanges.filter(({ status }) => status === 'pending' || status === 'open')),
  }
}

/** Adds rows, each with the next ordinal. */
export function addFileChanges(tables: MemoryTables, changes: Parameters<FileJournal['add']>[0]): number[] {
  for (const { sessionId } of changes) existingSession(tables, sessionId)
  return changes.map((change) => {
    const ordinal = ++tables.lastFileChange
    tables.fileChanges.push(structuredClone({ ...change, ordinal }))
    return ordinal
  })
}

import { type FileJournal, JOURNAL_PAGE } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import {
  deleteFileChanges,
  fileChangesOf,
  insertFileChanges,
  latestFileChange,
  unfinishedFileChanges,
  updateFileChanges,
} from '../sql/file-change-rows.ts'
import { existingSession } from './session-changes.ts'

/** Creates the journal of files, in `file_changes`. */
export function createFileJournal(database: Database): FileJournal {
  return {
    add: (changes) =>
      database.write(async (queries) => {
        for (const sessionId of new Set(changes.map((change) => change.sessionId)))
          await existingSession(queries, sessionId)
        return await insertFileChanges(queries, changes)
      }),
    replace: (ordinals, changes) =>
      database.write(async (queries) => {
        for (const sessionId of new Set(changes.map((change) => change.sessionId)))
          await existingSession(queries, sessionId)
        await deleteFileChanges(queries, ordinals)
        return await insertFileChanges(queries, changes)
      }),
    update: (updates) => database.write((queries) => updateFileChanges(queries, updates)),
    ofSession: (sessionId, after) =>
      database.read((queries) => fileChangesOf(queries, sessionId, after, JOURNAL_PAGE)),
    latest: (sessionId, root, path) =>
      database.read((queries) => latestFileChange(queries, sessionId, root, path)),
    unfinished: () => database.read((queries) => unfinishedFileChanges(queries)),
  }
}

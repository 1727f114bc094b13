import Sqlite from 'better-sqlite3'
import { BUSY_TIMEOUT } from './begin-write.ts'

const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_TIMEOUT};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
`

/** Opens a connection to the file, with the settings that every connection has. */
export function openConnection(path: string, options: { readonly: boolean }): Sqlite.Database {
  const connection = new Sqlite(path, options)
  try {
    connection.exec(PRAGMAS)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

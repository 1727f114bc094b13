import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Bytes that must be free there: containers often have only a few. */
const FREE_BYTES = 2_000_000_000

/**
 * Where tests put databases: in memory where Linux has a folder there, else where temporary files are. SQLite waits for the disk
 * whenever a database is opened and closed, which takes longer than many a test.
 */
export const DATABASE_FOLDER = hasSpace(MEMORY) ? MEMORY : tmpdir()

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= FREE_BYTES
  } catch {
    return false
  }
}

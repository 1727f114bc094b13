import { chmod, mkdir, open } from 'node:fs/promises'

/** Conversations are for the user that the server runs as. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Files that SQLite and the owner lock keep beside a database. */
const BESIDE = ['-wal', '-shm', '.owner']

/** Creates a folder, with those above it, that only its owner can enter. One that exists is left as it is. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  if (created !== undefined) await chmod(path, FOLDER_MODE)
}

/**
 * Creates an empty file that only its owner can read, or restricts an existing one to its owner, with any umask. Files that SQLite
 * makes beside a database have the mode of the database. An existing file is never opened: closing it would give up the
 * locks that this process has on it.
 */
export async function ensurePrivateFile(path: string): Promise<void> {
  try {
    await using file = await open(path, 'wx', FILE_MODE)
    await file.chmod(FILE_MODE)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    await restrict(path)
  }
}

/** Makes a database, its log and its lock files that only their owner can read. */
export async function ensurePrivateDatabase(path: string): Promise<void> {
  await ensurePrivateFile(path)
  await ensurePrivateFile(`${path}.owner`)
  for (const suffix of BESIDE) await restrict(`${path}${suffix}`)
}

async function restrict(path: string): Promise<void> {
  await chmod(path, FILE_MODE).catch((error: unknown) => {
    // Another user's file, or a disk without modes, is used as it is; what cannot be written is reported by who writes.
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(codeOf(error))) throw error
  })
}

/** The code of an error of the system or of SQLite, or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

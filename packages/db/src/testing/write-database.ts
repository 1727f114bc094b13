import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../migrate/migrate.ts'
import { DATABASE_FOLDER } from './database-folder.ts'

export { DATABASE_FOLDER }

/** Migrating takes longer than many a test, so a process does it once, and each database starts as a copy. */
let migrated: Promise<Buffer> | null = null

async function migratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(DATABASE_FOLDER, 'palimpsest-migrated-'))
  try {
    const path = join(folder, 'migrated.db')
    await migrate(path)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes an empty database of today's shape. */
export async function writeDatabase(path: string): Promise<void> {
  migrated ??= migratedFile()
  await writeFile(path, await migrated)
}

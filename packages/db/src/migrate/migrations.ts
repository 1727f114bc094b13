import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'

/** The folder of the committed migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../prisma/sqlite/migrations', import.meta.url))
const LOCKFILE = 'migration_lock.toml'

/** The names of the committed migrations, oldest first. */
export async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** The committed migrations in the shape that the schema engine takes. */
export async function readMigrations(folder = MIGRATIONS): Promise<MigrationList> {
  const names = await migrationNames(folder)
  return {
    baseDir: folder,
    lockfile: { path: LOCKFILE, content: await readFile(`${folder}/${LOCKFILE}`, 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(`${folder}/${path}/migration.sql`, 'utf8') },
        },
      })),
    ),
  }
}

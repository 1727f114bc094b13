import { existsSync } from 'node:fs'
import { AppError } from '@palimpsest/core/domain'
import Database from 'better-sqlite3'
import { MIGRATIONS, migrationNames, readMigrations } from './migrations.ts'

/**
 * Brings the database file to the schema of this code, all or nothing. `STORE_ERROR` when it was made by newer code;
 * then it has not been written to.
 */
export async function migrate(path: string, folder = MIGRATIONS): Promise<void> {
  const known = await migrationNames(folder)
  const applied = appliedMigrations(path)
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new AppError(
      'STORE_ERROR',
      `This database was written by a newer version of Palimpsest (it has ${unknown.join(', ')}). Start that version, or point DATABASE_URL at another file.`,
    )
  }
  if (known.some((name) => !applied.includes(name))) await apply(path, folder)
}

function appliedMigrations(path: string): string[] {
  if (!existsSync(path)) return []
  try {
    return readApplied(path)
  } catch (cause) {
    throw new AppError('STORE_ERROR', 'The database file cannot be read.', { cause })
  }
}

function readApplied(path: string): string[] {
  const database = new Database(path, { readonly: true, timeout: 5_000 })
  try {
    const recorded = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE name = '_prisma_migrations'")
      .get()
    if (recorded === undefined) return []
    return database
      .prepare<[], { migration_name: string }>(
        'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
      )
      .all()
      .map((row) => row.migration_name)
  } finally {
    database.close()
  }
}

async function apply(path: string, folder: string): Promise<void> {
  const { loadSchemaEngine, SCHEMA_FILTER } = await import('./schema-engine.ts')
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
  const connection = await new PrismaBetterSqlite3({ url: path, timeout: 5_000 }).connect()
  try {
    // One transaction around all of them: a host killed in the middle leaves the database as it was. With foreign
    // keys on, a migration that rebuilds a table would delete the rows that point to it.
    await connection.executeScript('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE')
    const engine = await loadSchemaEngine(connection)
    await engine.applyMigrations({ migrationsList: await readMigrations(folder), filters: SCHEMA_FILTER })
    await connection.executeScript('COMMIT')
  } catch (cause) {
    throw new AppError('STORE_ERROR', 'The database could not be brought to the schema of this version.', {
      cause,
    })
  } finally {
    await connection.dispose()
  }
}

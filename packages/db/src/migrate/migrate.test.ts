import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, migrationNames, readMigrations } from './migrations.ts'
import { loadSchemaEngine, SCHEMA_FILTER } from './schema-engine.ts'
import { readSchemaFiles } from './schema-files.ts'

function rows(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** A copy of the migrations with one more, as the next version would have it. */
async function withNext(folder: string, sql: string): Promise<string> {
  const migrations = join(folder, 'migrations')
  await cp(MIGRATIONS, migrations, { recursive: true })
  await mkdir(join(migrations, '29990101000000_next'))
  await writeFile(join(migrations, '29990101000000_next', 'migration.sql'), sql)
  return migrations
}

test('DA-8 a new database gets every migration, recorded so that Prisma finds nothing left to deploy', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const recorded = rows(
    path,
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  )
  expect(recorded).toEqual((await migrationNames(MIGRATIONS)).map((name) => ({ name })))
  const connection = await new PrismaBetterSqlite3({ url: path }).connect()
  const engine = await loadSchemaEngine(connection)
  const input = { migrationsList: await readMigrations(), filters: SCHEMA_FILTER }
  expect(await engine.diagnoseMigrationHistory({ ...input, optInToShadowDatabase: false })).toMatchObject({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  })
  expect(await engine.applyMigrations(input)).toEqual({ appliedMigrationNames: [] })
  await connection.dispose()
})

test('DA-8 the committed migrations say all that the schema files say', async () => {
  const engine = await loadSchemaEngine(await new PrismaBetterSqlite3({ url: ':memory:' }).connect())
  const { stdout } = await engine.diff({
    from: { tag: 'migrations', ...(await readMigrations()) },
    to: { tag: 'schemaDatamodel', files: await readSchemaFiles() },
    script: true,
    exitCode: null,
    filters: SCHEMA_FILTER,
  })
  expect(stdout).toContain('This is an empty migration')
})

test('DA-8 a database that newer code wrote is refused and not touched', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path, await withNext(folder.path, 'CREATE TABLE later (id INTEGER);'))
  const before = await readFile(path)
  await expect(migrate(path)).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: expect.stringContaining('newer version'),
  })
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('DA-8 a migration that fails leaves the database as it was', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const broken = await withNext(
    folder.path,
    'CREATE TABLE later (id INTEGER); INSERT INTO nowhere VALUES (1);',
  )
  await expect(migrate(path, broken)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(rows(path, "SELECT name FROM sqlite_schema WHERE name = 'later'")).toEqual([])
  await migrate(path)
})

test('RL-6 a database of an earlier schema keeps every row when a table is rebuilt', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const database = new Database(path)
  database.exec(`
    INSERT INTO chat_sessions (id, agent, model_json, created_at, updated_at) VALUES ('s', 'a', '{}', 1, 1);
    INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, created_at, updated_at)
      VALUES ('m', 's', 1, 'user', '{}', 1, 1);
  `)
  database.close()
  const rebuild = `
    PRAGMA defer_foreign_keys=ON; PRAGMA foreign_keys=OFF;
    CREATE TABLE new_chat_sessions AS SELECT *, 'x' AS extra FROM chat_sessions;
    DROP TABLE chat_sessions; ALTER TABLE new_chat_sessions RENAME TO chat_sessions;
    PRAGMA foreign_keys=ON; PRAGMA defer_foreign_keys=OFF;`
  await migrate(path, await withNext(folder.path, rebuild))
  expect(rows(path, 'SELECT id, extra FROM chat_sessions')).toEqual([{ id: 's', extra: 'x' }])
  expect(rows(path, 'SELECT id FROM chat_messages')).toEqual([{ id: 'm' }])
})

test('DA-8 a file that is no database is refused, and stays as it is', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await writeFile(path, 'my precious notes, which are no database at all')
  await expect(migrate(path)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(await readFile(path, 'utf8')).toContain('precious')
})

test('DA-8 an empty file, as an interrupted first start leaves it, becomes a store', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await writeFile(path, '')
  await migrate(path)
  expect(rows(path, 'SELECT id FROM chat_sessions')).toEqual([])
})

test('DA-8 a database that is up to date is not written to', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const before = await readFile(path)
  await migrate(path)
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('DA-8 a migration that another process began and did not finish is reported, and no row is lost', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const [last] = (await migrationNames(MIGRATIONS)).slice(-1)
  const database = new Database(path)
  database.prepare("INSERT INTO store_meta (key, value) VALUES ('mine', 'kept')").run()
  database.prepare('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ?').run(last)
  database.close()
  await expect(migrate(path)).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: 'The database could not be brought to the schema of this version.',
  })
  expect(rows(path, "SELECT value FROM store_meta WHERE key = 'mine'")).toEqual([{ value: 'kept' }])
})

test('DA-8 a folder in place of the file is reported without its path', async () => {
  await using folder = await temporaryFolder()
  const failure: unknown = await migrate(folder.path).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'STORE_ERROR' })
  expect((failure as Error).message).not.toContain(folder.path)
})

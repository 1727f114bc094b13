// Writes the next migration: what the schema files say and the migrations so far do not.
// node scripts/migration.ts <name>
import { mkdir, writeFile } from 'node:fs/promises'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { readMigrations } from '../src/migrate/migrations.ts'
import { loadSchemaEngine, SCHEMA_FILTER } from '../src/migrate/schema-engine.ts'
import { readSchemaFiles } from '../src/migrate/schema-files.ts'

const [name] = process.argv.slice(2)
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  process.stderr.write('Name the migration: migration <name>, of letters, digits and _.\n')
  process.exit(1)
}

const engine = await loadSchemaEngine(await new PrismaBetterSqlite3({ url: ':memory:' }).connect())
const migrations = await readMigrations()
const { stdout } = await engine.diff({
  from: { tag: 'migrations', ...migrations },
  to: { tag: 'schemaDatamodel', files: await readSchemaFiles() },
  script: true,
  exitCode: null,
  filters: SCHEMA_FILTER,
})

if (stdout === null || stdout.includes('This is an empty migration')) {
  process.stdout.write('The migrations already say what the schema says.\n')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = `${migrations.baseDir}/${stamp}_${name}`
  await mkdir(folder)
  await writeFile(`${folder}/migration.sql`, stdout)
  process.stdout.write(`${folder}/migration.sql\n`)
}

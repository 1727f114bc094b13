import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@palimpsest/core/domain'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../migrate/migrate.ts'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { openDatabase } from './database.ts'

async function openHeld() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const path = join(folder.path, 'a.db')
  await migrate(path)
  const database = opened.use(await openDatabase(path))
  await database.write((queries) => queries.$executeRawUnsafe('CREATE TABLE t (v)'))
  const other = opened.adopt(new Sqlite(path), (connection) => void connection.close())
  other.exec('BEGIN IMMEDIATE')
  const held = opened.move()
  return { database, other, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

const INSERT = 'INSERT INTO t (v) VALUES (1)'

test('DA-6 while another process writes, a write waits, and the host and its reads go on', async () => {
  await using held = await openHeld()
  const { database, other } = held
  let written = 0
  const writes = [
    database.write((queries) => queries.$executeRawUnsafe(INSERT)),
    database.write((queries) => queries.$executeRawUnsafe(INSERT)),
  ].map((write) => write.then(() => written++))
  await delay(50)
  const rows = await database.read((queries) => queries.$queryRawUnsafe<unknown[]>('SELECT * FROM t'))
  expect(rows).toEqual([])
  expect(written).toBe(0)
  other.exec('COMMIT')
  await Promise.all(writes)
  expect(written).toBe(2)
})

test('DA-6 a write that has waited five seconds is refused as STORE_ERROR, and the next one is not', async () => {
  await using held = await openHeld()
  const { database, other } = held
  const refused = database.write((queries) => queries.$executeRawUnsafe(INSERT))
  await expect(refused).rejects.toSatisfy(
    (error) => error instanceof AppError && error.code === 'STORE_ERROR',
  )
  other.exec('COMMIT')
  expect(await database.write((queries) => queries.$executeRawUnsafe(INSERT))).toBe(1)
}, 20_000)

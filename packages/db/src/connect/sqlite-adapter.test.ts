import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { createSqliteAdapter } from './sqlite-adapter.ts'

const sql = (text: string) => ({ sql: text, args: [], argTypes: [] })

async function connected(factory: SqlDriverAdapterFactory): Promise<SqlDriverAdapter> {
  const connection = await factory.connect()
  await connection.executeRaw(sql('CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)'))
  return connection
}

async function rows(connection: SqlDriverAdapter): Promise<unknown[][]> {
  return (await connection.queryRaw(sql('SELECT v FROM t ORDER BY v'))).rows
}

/** One write inside a transaction, one outside while it is open, then a rollback: answers what is left. */
async function writeBesideARollback(factory: SqlDriverAdapterFactory): Promise<unknown[][]> {
  const connection = await connected(factory)
  const transaction = await connection.startTransaction()
  await transaction.executeRaw(sql('INSERT INTO t (v) VALUES (1)'))
  const outside = connection.executeRaw(sql('INSERT INTO t (v) VALUES (2)'))
  if (!transaction.options.usePhantomQuery) await transaction.executeRaw(sql('ROLLBACK'))
  await transaction.rollback()
  await outside
  const left = await rows(connection)
  await connection.dispose()
  return left
}

test('DA-6 an acknowledged write survives the rollback of a transaction that was open beside it', async () => {
  await using folder = await temporaryFolder()
  expect(await writeBesideARollback(createSqliteAdapter(join(folder.path, 'ours.db')))).toEqual([[2]])
})

test('DA-6 the stock adapter still loses it, which is why ours exists', async () => {
  await using folder = await temporaryFolder()
  const stock = new PrismaBetterSqlite3({ url: join(folder.path, 'stock.db') })
  expect(await writeBesideARollback(stock)).toEqual([])
})

test('DA-6 every connection has its pragmas', async () => {
  await using folder = await temporaryFolder()
  const factory = createSqliteAdapter(join(folder.path, 'a.db'))
  for (const connection of [await factory.connect(), await factory.connect()]) {
    const read = async (name: string) => (await connection.queryRaw(sql(`PRAGMA ${name}`))).rows[0]?.[0]
    expect(await read('journal_mode')).toBe('wal')
    expect(Number(await read('synchronous'))).toBe(1)
    // SQLite's own waiting would block the host.
    expect(Number(await read('busy_timeout'))).toBe(0)
    expect(Number(await read('foreign_keys'))).toBe(1)
    await connection.dispose()
  }
})

test('DA-6 transactions and statements take turns in the order of asking', async () => {
  await using folder = await temporaryFolder()
  const connection = await connected(createSqliteAdapter(join(folder.path, 'a.db')))
  const work = Array.from({ length: 20 }, async (_, index) => {
    if (index % 2 === 0) return connection.executeRaw(sql(`INSERT INTO t (v) VALUES (${index})`))
    const transaction = await connection.startTransaction()
    await transaction.executeRaw(sql(`INSERT INTO t (v) VALUES (${index})`))
    return index % 4 === 1 ? transaction.rollback() : transaction.commit()
  })
  await Promise.all(work)
  const kept = Array.from({ length: 20 }, (_, index) => index).filter((index) => index % 4 !== 1)
  expect((await rows(connection)).map(([value]) => Number(value))).toEqual(kept)
  await connection.dispose()
})

test('DA-6 a commit that fails rolls back and lets the next one through', async () => {
  await using folder = await temporaryFolder()
  const connection = await connected(createSqliteAdapter(join(folder.path, 'a.db')))
  const deferred = 'REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED'
  await connection.executeRaw(sql(`CREATE TABLE c (t INTEGER ${deferred})`))
  const transaction = await connection.startTransaction()
  await transaction.executeRaw(sql('INSERT INTO c VALUES (99)'))
  await expect(transaction.commit()).rejects.toThrow()
  await connection.executeRaw(sql('INSERT INTO t (v) VALUES (1)'))
  expect(await rows(connection)).toEqual([[1]])
  expect((await connection.queryRaw(sql('SELECT * FROM c'))).rows).toEqual([])
  await connection.dispose()
})

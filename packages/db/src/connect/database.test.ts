import { AppError } from '@palimpsest/core/domain'
import type Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'
import { openConnection } from './connection.ts'
import { type Database, openDatabase } from './database.ts'

async function openTable() {
  await using opened = new AsyncDisposableStack()
  const fixture = opened.use(await temporaryStore())
  const writer = openConnection(fixture.path, { readonly: false })
  const database = opened.use(await openDatabase(fixture.path, { writer }))
  await database.write((queries) => queries.$executeRawUnsafe('CREATE TABLE t (v TEXT UNIQUE)'))
  const kept = opened.move()
  return {
    ...fixture,
    database,
    writer,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const insert = (database: Database, ...values: string[]) =>
  database.write(async (queries) => {
    for (const value of values) await queries.$executeRawUnsafe('INSERT INTO t (v) VALUES (?)', value)
  })

async function values({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await read((queries) => queries.$queryRawUnsafe<{ v: string }[]>('SELECT v FROM t ORDER BY v'))
  return rows.map(({ v }) => v)
}

/** Lets the file grow no further, as a full disk does; returns what gives the space back. */
function fill(writer: Sqlite.Database): () => void {
  writer.pragma(`max_page_count = ${writer.pragma('page_count', { simple: true })}`)
  return () => void writer.pragma('max_page_count = 1000000')
}

const LARGE = 'x'.repeat(200_000)
const refused = { code: 'STORE_ERROR', message: 'The store could not do this. Nothing of it was written.' }

test('DA-6 a transaction that fails in its middle leaves nothing, and the next one is whole', async () => {
  await using table = await openTable()
  const { database } = table
  await insert(database, 'a')
  await expect(insert(database, 'b', 'a', 'c')).rejects.toMatchObject(refused)
  expect(await values(database)).toEqual(['a'])
  const own = new AppError('CONFLICT', 'Not like this.')
  const failing = database.write(async (queries) => {
    await queries.$executeRawUnsafe('INSERT INTO t (v) VALUES (?)', 'd')
    throw own
  })
  await expect(failing).rejects.toBe(own)
  await insert(database, 'b', 'c')
  expect(await values(database)).toEqual(['a', 'b', 'c'])
})

test('DA-6 an error has the reason of a failure as its cause, and its message does not contain it', async () => {
  await using table = await openTable()
  await insert(table.database, 'secret-value')
  const failure: unknown = await insert(table.database, 'secret-value').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(AppError)
  const { message, cause } = failure as AppError
  expect(message).not.toMatch(/secret|INSERT|UNIQUE|sqlite/i)
  expect(String(cause)).toContain('UNIQUE constraint failed')
  const read = table.database.read((queries) => queries.$queryRawUnsafe('SELECT * FROM nowhere'))
  await expect(read).rejects.toMatchObject({ code: 'STORE_ERROR' })
})

test('DA-16 a read during a transaction returns the state before it, a later read all of it', async () => {
  await using table = await openTable()
  const { database } = table
  const middle = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const writing = database.write(async (queries) => {
    await queries.$executeRawUnsafe("INSERT INTO t (v) VALUES ('a')")
    middle.resolve()
    await goOn.promise
    await queries.$executeRawUnsafe("INSERT INTO t (v) VALUES ('b')")
  })
  await middle.promise
  using before = database.snapshot()
  expect([...before.rows('SELECT v FROM t')]).toEqual([])
  expect(await values(database)).toEqual([])
  goOn.resolve()
  await writing
  expect(await values(database)).toEqual(['a', 'b'])
  expect([...before.rows('SELECT v FROM t')]).toEqual([])
  using after = database.snapshot()
  expect([...after.rows('SELECT v FROM t ORDER BY v')]).toEqual([{ v: 'a' }, { v: 'b' }])
})

test('DA-6 a snapshot can be given up halfway, writes nothing, and is in no writer’s way', async () => {
  await using table = await openTable()
  const { database } = table
  await insert(database, ...Array.from({ length: 50 }, (_, index) => `row ${index}`))
  const snapshot = database.snapshot()
  const [first] = snapshot.rows('SELECT v FROM t ORDER BY v')
  expect(first).toEqual({ v: 'row 0' })
  await insert(database, 'while it is read')
  expect(() => [...snapshot.rows("INSERT INTO t (v) VALUES ('no') RETURNING v")]).toThrow('readonly')
  snapshot[Symbol.dispose]()
  expect(() => [...snapshot.rows('SELECT v FROM t')]).toThrow()
  expect(await values(database)).toHaveLength(51)
})

test('DA-6 where the disk is full what was written stays, what cannot be is refused whole, and then it goes on', async () => {
  await using table = await openTable()
  const { database, writer } = table
  await insert(database, 'a')
  const empty = fill(writer)
  await expect(insert(database, 'b', LARGE)).rejects.toMatchObject(refused)
  expect(await values(database)).toEqual(['a'])
  empty()
  await insert(database, 'b', LARGE)
  expect((await values(database)).length).toBe(3)
})

test('DA-6 a database that has become read-only is read as before, and refuses to be written', async () => {
  await using table = await openTable()
  const { database, writer } = table
  await insert(database, 'a')
  writer.pragma('query_only = ON')
  await expect(insert(database, 'b')).rejects.toMatchObject(refused)
  expect(await values(database)).toEqual(['a'])
  writer.pragma('query_only = OFF')
  await insert(database, 'b')
  expect(await values(database)).toEqual(['a', 'b'])
})

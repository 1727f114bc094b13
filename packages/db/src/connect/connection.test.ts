import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { openConnection } from './connection.ts'
import { type Database, openDatabase } from './database.ts'

async function openTable() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const path = join(folder.path, 'a.db')
  const writer = openConnection(path, { readonly: false })
  writer.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)')
  const database = opened.use(await openDatabase(path, { writer }))
  const kept = opened.move()
  return { path, writer, database, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function values({ read }: Database): Promise<number[]> {
  const rows = await read((queries) => queries.$queryRawUnsafe<{ v: number }[]>('SELECT v FROM t ORDER BY v'))
  return rows.map(({ v }) => v)
}

const insert = (database: Database, v: number, after?: () => void) =>
  database.write(async (queries) => {
    await queries.$executeRawUnsafe('INSERT INTO t (v) VALUES (?)', v)
    after?.()
  })

test('DA-6 every connection has its pragmas', async () => {
  await using table = await openTable()
  const { path, writer } = table
  const reader = openConnection(path, { readonly: true })
  for (const connection of [reader, writer]) {
    const read = (name: string) => connection.pragma(name, { simple: true })
    expect(read('journal_mode')).toBe('wal')
    expect(read('synchronous')).toBe(1)
    // A write waits without SQLite, which would block the host.
    expect(read('busy_timeout')).toBe(connection === writer ? 0 : 5_000)
    expect(read('foreign_keys')).toBe(1)
  }
  reader.close()
})

test('DA-6 transactions follow each other in the order of asking, and one that fails takes no other with it', async () => {
  await using table = await openTable()
  const { database } = table
  const fails = (index: number) => index % 4 === 1
  const work = Array.from({ length: 20 }, (_, index) =>
    insert(database, index, () => {
      if (fails(index)) throw new Error('Not this one')
    }),
  )
  const outcomes = await Promise.allSettled(work)
  expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
    outcomes.map((_, index) => fails(index)),
  )
  const kept = Array.from({ length: 20 }, (_, index) => index).filter((index) => !fails(index))
  expect(await values(database)).toEqual(kept)
})

test('DA-6 a commit that fails rolls back and lets the next one through', async () => {
  await using table = await openTable()
  const { database, writer } = table
  writer.exec('CREATE TABLE c (t INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)')
  const failing = database.write((queries) => queries.$executeRawUnsafe('INSERT INTO c VALUES (99)'))
  await expect(failing).rejects.toMatchObject({ code: 'STORE_ERROR' })
  await insert(database, 1)
  expect(await values(database)).toEqual([1])
  expect(writer.prepare('SELECT * FROM c').all()).toEqual([])
})

test('DA-6 a write that is under way when the database is closed is written, and a later one is refused', async () => {
  await using table = await openTable()
  const { path, database } = table
  const writing = insert(database, 1)
  await database[Symbol.asyncDispose]()
  await writing
  await expect(insert(database, 2)).rejects.toMatchObject({ code: 'STORE_ERROR' })
  const reader = openConnection(path, { readonly: true })
  expect(reader.prepare('SELECT v FROM t').pluck().all()).toEqual([1])
  reader.close()
})

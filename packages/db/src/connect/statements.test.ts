import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createLogPlaces } from './log-places.ts'
import { createStatements, type Watch } from './statements.ts'

function openStatements(watch: Watch = {}) {
  const connection = new Sqlite(':memory:')
  connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)')
  const statements = createStatements(connection, watch, createLogPlaces())
  return { connection, statements, [Symbol.dispose]: () => void connection.close() }
}

test('DA-4 values come back as they went in: times, large and small numbers, texts of any kind, null', async () => {
  using open = openStatements()
  const { statements } = open
  const values = [1_795_258_810_601, 2 ** 53 - 1, -1, 0.1, '', 'é\u0000🜂 "\'', null]
  for (const value of values) await statements.$executeRawUnsafe('INSERT INTO t (v) VALUES (?)', value)
  const rows = await statements.$queryRawUnsafe<{ v: unknown }[]>('SELECT v FROM t ORDER BY id')
  expect(rows.map(({ v }) => v)).toEqual(values)
})

test('DA-6 a statement answers how many rows it changed, and a failing one fails alone, as a rejection', async () => {
  using open = openStatements()
  const { statements } = open
  const add = (id: number) => statements.$executeRawUnsafe('INSERT INTO t (id, v) VALUES (?, 1)', id)
  expect([await add(1), await add(2)]).toEqual([1, 1])
  await expect(add(1)).rejects.toThrow('UNIQUE')
  await expect(statements.$queryRawUnsafe('SELECT * FROM nowhere')).rejects.toThrow('nowhere')
  await expect(statements.$queryRawUnsafe('SELECT v FROM t WHERE id = ?')).rejects.toThrow('parameter')
  expect(await statements.$executeRawUnsafe('UPDATE t SET v = 2')).toBe(2)
  expect(await statements.$executeRawUnsafe('DELETE FROM t WHERE id = ?', 9)).toBe(0)
  expect(await add(3)).toBe(1)
})

test('DA-6 more texts than are kept still run, and each is seen each time that it runs', async () => {
  const seen: string[] = []
  using open = openStatements({ observe: ({ sql }) => seen.push(sql) })
  const { statements } = open
  for (const round of [1, 2]) {
    for (let n = 0; n < 600; n++) {
      const [row] = await statements.$queryRawUnsafe<{ n: number }[]>(`SELECT ${n} + ? AS n`, round)
      expect(row?.n).toBe(n + round)
    }
  }
  expect(seen).toHaveLength(1_200)
  expect(new Set(seen).size).toBe(600)
})

test('DA-8 a statement that was kept sees a table as it is now', async () => {
  using open = openStatements()
  const { statements, connection } = open
  const all = () => statements.$queryRawUnsafe<object[]>('SELECT * FROM t')
  await statements.$executeRawUnsafe('INSERT INTO t (id, v) VALUES (1, 1)')
  expect(await all()).toEqual([{ id: 1, v: 1 }])
  connection.exec("ALTER TABLE t ADD COLUMN w DEFAULT 'new'")
  expect(await all()).toEqual([{ id: 1, v: 1, w: 'new' }])
})

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const memory = (name: string) => ({
  workspaceRoot: null,
  name,
  description: `About ${name}`,
  type: 'note',
  body: 'All of it',
  origin: null,
})

test('DA-11 a memory that was damaged is left out, the others are read, and its name can be used again', async () => {
  await using fixture = await temporaryStore()
  const { memories } = fixture.store
  for (const name of ['a', 'b', 'c']) await memories.put(memory(name), 1_000)
  const database = new Database(fixture.path)
  database.exec(`
    UPDATE memories SET metadata_json = '{half' WHERE name = 'a';
    UPDATE memories SET metadata_json = json_set(metadata_json, '$.state', 'wizard', '$.origin', 5) WHERE name = 'b';
    UPDATE memories SET metadata_json = json_set(metadata_json, '$.origin', 5) WHERE name = 'c';
  `)
  database.close()
  expect((await memories.index(null)).map(({ name }) => name)).toEqual(['c'])
  expect(await memories.find(null, 'a')).toBeNull()
  expect((await memories.page({ limit: 10 })).items).toMatchObject([{ name: 'c', origin: null }])
  const first = await memories.page({ limit: 1 })
  const second = await memories.page({ limit: 1, cursor: first.nextCursor ?? '' })
  const third = await memories.page({ limit: 1, cursor: second.nextCursor ?? '' })
  expect([first, second, third].flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['c'])
  expect(third.nextCursor).toBeNull()
  await memories.put(memory('a'), 2_000)
  await memories.propose(memory('b'), 2_000)
  expect((await memories.page({ limit: 10 })).items.map(({ name }) => name).toSorted()).toEqual([
    'a',
    'b',
    'c',
  ])
})

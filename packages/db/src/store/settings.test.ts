import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

test('DA-11 a setting or provider that was damaged is left out or has its default, and the others are read', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  await settings.setValues(
    new Map<string, unknown>([
      ['instructions', 'Be brief'],
      ['defaultModel', null],
    ]),
    1_000,
  )
  const names = { label: null, baseURL: null, sealedKey: null, models: ['m1'], listed: [{ modelId: 'm2' }] }
  for (const id of ['a', 'b', 'c']) await settings.putProvider({ id, kind: 'openai', ...names }, 1_000)
  const database = new Database(fixture.path)
  database.exec(`
    INSERT INTO settings VALUES ('defaultModel', '{half', 1);
    UPDATE providers SET kind = 'wizard' WHERE id = 'a';
    UPDATE providers SET models_json = '{half', listed_json = '[7, {"modelId": "m3"}, {}]' WHERE id = 'b';
  `)
  database.close()
  expect(await settings.values()).toEqual(new Map([['instructions', 'Be brief']]))
  expect(await settings.providers()).toEqual([
    { id: 'b', kind: 'openai', ...names, models: [], listed: [{ modelId: 'm3' }] },
    { id: 'c', kind: 'openai', ...names },
  ])
})

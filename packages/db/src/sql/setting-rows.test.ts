import type { ProviderRow } from '@palimpsest/core/ports'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

function provider(id: string, over: Partial<ProviderRow> = {}): ProviderRow {
  const rest = { label: null, baseURL: null, sealedKey: null, models: ['m1'], listed: [{ modelId: 'm2' }] }
  return { id, kind: 'openai', ...rest, ...over }
}

function change(path: string, sql: string, ...values: unknown[]): void {
  const database = new Database(path)
  database.prepare(sql).run(...values)
  database.close()
}

function rows(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  const found = database.prepare(sql).all()
  database.close()
  return found
}

test('UI-31 a setting is stored as JSON with the time of its last write, and none is left of one that was removed', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  await settings.setValues(new Map<string, unknown>([['one', { a: [1] }]]), 1_000)
  await settings.setValues(
    new Map<string, unknown>([
      ['one', 'text'],
      ['two', 0],
    ]),
    2_000,
  )
  const all = 'SELECT key, value_json AS json, updated_at AS at FROM settings ORDER BY key'
  expect(rows(fixture.path, all)).toEqual([
    { key: 'one', json: '"text"', at: 2_000 },
    { key: 'two', json: '0', at: 2_000 },
  ])
  await settings.setValues(new Map([['one', null]]), 3_000)
  expect(rows(fixture.path, all)).toEqual([{ key: 'two', json: '0', at: 2_000 }])
})

test('UI-31 of settings that are written together none is stored when one cannot be', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  await settings.setValues(new Map([['one', 1]]), 1_000)
  change(
    fixture.path,
    `CREATE TRIGGER refuse BEFORE INSERT ON settings WHEN NEW.key = 'bad' BEGIN SELECT raise(ABORT, 'no'); END`,
  )
  const values = new Map<string, unknown>([
    ['one', 2],
    ['two', 2],
    ['bad', 2],
    ['three', 2],
  ])
  await expect(settings.setValues(values, 2_000)).rejects.toThrow()
  expect(await settings.values()).toEqual(new Map([['one', 1]]))
})

test('UI-31 a provider that is changed keeps the time of its entry', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  await settings.putProvider(provider('a'), 1_000)
  await settings.putProvider(provider('a', { kind: 'google', label: 'Ours' }), 5_000)
  expect(rows(fixture.path, 'SELECT kind, label, created_at, updated_at FROM providers')).toEqual([
    { kind: 'google', label: 'Ours', created_at: 1_000, updated_at: 5_000 },
  ])
})

test('UI-31 providers that were entered in one millisecond come in the order of their ids', async () => {
  await using fixture = await temporaryStore()
  for (const id of ['c', 'a', 'b']) await fixture.store.settings.putProvider(provider(id), 1_000)
  expect((await fixture.store.settings.providers()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('', ' ', '{', 'null', '5', '"m"', '{"0":"m","length":1}', '\u0000', '[["m"]]'),
)

test('DA-11 with any text in the lists of a provider it is read with what is a model there, and stays stored as it is', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  for (const id of ['a', 'b']) await settings.putProvider(provider(id), 1_000)
  await fc.assert(
    fc.asyncProperty(json, json, async (models, listed) => {
      change(
        fixture.path,
        "UPDATE providers SET models_json = ?, listed_json = ? WHERE id = 'a'",
        models,
        listed,
      )
      const [damaged, whole] = await settings.providers()
      expect(whole).toEqual(provider('b'))
      expect(damaged?.models.every((model) => typeof model === 'string')).toBe(true)
      for (const { modelId, contextLimit = 1 } of damaged?.listed ?? []) {
        expect([typeof modelId, typeof contextLimit]).toEqual(['string', 'number'])
      }
      const kept = "SELECT models_json AS models, listed_json AS listed FROM providers WHERE id = 'a'"
      expect(rows(fixture.path, kept)).toEqual([{ models, listed }])
    }),
    { numRuns: 60 },
  )
})

test.for(['"8192"', 'null', '{}', '[1]', 'true', '-1', '0', '0.5', '1e999'])(
  'DA-11 a listed model whose context limit is %s has none',
  async (limit) => {
    await using fixture = await temporaryStore()
    const { settings } = fixture.store
    await settings.putProvider(provider('a'), 1_000)
    const list = `[{"modelId":"m","contextLimit":${limit}},{"modelId":"n","contextLimit":4096}]`
    change(fixture.path, 'UPDATE providers SET listed_json = ?', list)
    expect((await settings.providers())[0]?.listed).toEqual([
      { modelId: 'm' },
      { modelId: 'n', contextLimit: 4_096 },
    ])
  },
)

test.for(['', 'OpenAI', 'openai ', 'demo', '__proto__', 'constructor'])(
  'DA-11 a provider of the kind %j is left out until it is entered again',
  async (kind) => {
    await using fixture = await temporaryStore()
    const { settings } = fixture.store
    for (const id of ['a', 'b']) await settings.putProvider(provider(id), 1_000)
    change(fixture.path, "UPDATE providers SET kind = ? WHERE id = 'a'", kind)
    expect(await settings.providers()).toEqual([provider('b')])
    await settings.putProvider(provider('a', { label: 'Again' }), 2_000)
    expect(await settings.providers()).toEqual([provider('a', { label: 'Again' }), provider('b')])
    change(fixture.path, "UPDATE providers SET kind = ? WHERE id = 'a'", kind)
    expect(await settings.removeProvider('a')).toBe(true)
    expect(await settings.providers()).toEqual([provider('b')])
  },
)

test('DA-11 with any text under a key the other settings are read, and a write mends it', async () => {
  await using fixture = await temporaryStore()
  const { settings } = fixture.store
  await settings.setValues(new Map<string, unknown>([['instructions', 'Be brief']]), 1_000)
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), json), async (text) => {
      change(fixture.path, "INSERT OR REPLACE INTO settings VALUES ('theme', ?, 1)", text)
      const values = await settings.values()
      expect(values.get('instructions')).toBe('Be brief')
      expect(values.size).toBeLessThanOrEqual(2)
      await settings.setValues(new Map([['theme', 'dark']]), 2_000)
      expect((await settings.values()).get('theme')).toBe('dark')
    }),
    { numRuns: 30 },
  )
})

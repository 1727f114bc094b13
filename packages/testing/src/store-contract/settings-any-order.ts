import { PROVIDER_KINDS } from '@palimpsest/core/domain'
import type { ProviderRow, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, removeSession, turn } from './fixtures.ts'

/** Names that JSON, SQL or an object of JavaScript could treat in a way of their own. */
const KEYS = ['instructions', 'defaultModel', '', '__proto__', 'toString', "it's", '%', 'Ключ', 'a\u0000b']

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', 'null', 0, -0.5, false, [], {}, 'line\r\nline', '\u2028', '😀'),
)
const entries = fc.array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 6 })

const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("'; DROP TABLE providers", 'ä€😀', ''))
const listed = fc.oneof(
  fc.record({ modelId: text }),
  fc.record({ modelId: text, contextLimit: fc.integer({ min: 1, max: 10_000_000 }) }),
)
const provider: fc.Arbitrary<ProviderRow> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  kind: fc.constantFrom(...PROVIDER_KINDS),
  label: fc.option(text),
  baseURL: fc.option(text),
  sealedKey: fc.option(text),
  models: fc.array(text, { maxLength: 4 }),
  listed: fc.array(listed, { maxLength: 4 }),
})
const change = fc.oneof(
  { weight: 3, arbitrary: provider },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
)

/** What JSON keeps: it has no negative zero. */
function kept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

async function changeProvider(
  store: Store,
  rows: Map<string, ProviderRow>,
  next: ProviderRow | string,
  at: number,
) {
  if (typeof next === 'string') {
    expect(await store.settings.removeProvider(next)).toBe(rows.delete(next))
    return
  }
  rows.set(next.id, next)
  await store.settings.putProvider(next, at)
}

function named(id: string, over: Partial<ProviderRow> = {}): ProviderRow {
  const none = { label: null, baseURL: null, sealedKey: null, models: [], listed: [] }
  return { id, kind: 'openai', ...none, ...over }
}

export function settingsAnyOrderContract(open: OpenFixture): void {
  test('UI-31 after any sequence of writes the settings are the last value under each key', async () => {
    await using fixture = await open()
    const expected = new Map<string, unknown>()
    await fc.assert(
      fc.asyncProperty(entries, async (some) => {
        const written = new Map<string, unknown>(some)
        await fixture.store.settings.setValues(written, 1_000)
        for (const [key, value] of written) {
          if (value === null) expected.delete(key)
          else expected.set(key, kept(value))
        }
        expect(new Map(await fixture.store.settings.values())).toEqual(expected)
      }),
      { numRuns: 40 },
    )
    const store = await fixture.restart()
    expect(new Map(await store.settings.values())).toEqual(expected)
  })

  test('UI-31 after any sequence of changes the providers are those that were entered, in the order of their first entry', async () => {
    await using fixture = await open()
    const rows = new Map<string, ProviderRow>()
    let at = 1_000
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        for (const next of changes) await changeProvider(fixture.store, rows, next, ++at)
        expect(await fixture.store.settings.providers()).toEqual([...rows.values()])
      }),
      { numRuns: 40 },
    )
    const store = await fixture.restart()
    expect(await store.settings.providers()).toEqual([...rows.values()])
  })

  test('UI-31 a provider that was removed and is entered again comes last', async () => {
    await using fixture = await open()
    const { settings } = fixture.store
    await settings.putProvider(named('a', { sealedKey: 'old', models: ['m1'] }), 1_000)
    await settings.putProvider(named('b'), 2_000)
    await settings.removeProvider('a')
    await settings.putProvider(named('a'), 3_000)
    expect(await settings.providers()).toEqual([named('b'), named('a')])
  })

  test('UI-31 writes of different keys at once are all kept', async () => {
    await using fixture = await open()
    const { settings } = fixture.store
    const keys = Array.from({ length: 20 }, (_, at) => `key${at}`)
    await Promise.all(keys.map((key, at) => settings.setValues(new Map([[key, at]]), 1_000)))
    const values = await settings.values()
    expect(keys.map((key) => values.get(key))).toEqual(keys.map((_, at) => at))
  })

  test('UI-31 what a caller does with the answer or its own rows changes nothing that is stored', async () => {
    await using fixture = await open()
    const { settings } = fixture.store
    const row = named('a', { models: ['m1'] })
    const model = { providerId: 'lab', modelId: 'm1' }
    await settings.putProvider(row, 1_000)
    await settings.setValues(new Map([['defaultModel', model]]), 1_000)
    row.models.push('m2')
    model.modelId = 'm2'
    const [read] = await settings.providers()
    read?.models.push('m3')
    expect((await settings.providers())[0]?.models).toEqual(['m1'])
    expect((await settings.values()).get('defaultModel')).toEqual({ providerId: 'lab', modelId: 'm1' })
  })

  test('UI-31 the largest values that the product accepts come back whole', async () => {
    await using fixture = await open()
    const { settings } = fixture.store
    const instructions = '€'.repeat(16_000)
    const models = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(200, 'm'))
    const row = named('a', {
      models,
      listed: models.map((modelId) => ({ modelId, contextLimit: 1_000_000 })),
    })
    await settings.setValues(new Map([['instructions', instructions]]), 1_000)
    await settings.putProvider(row, 1_000)
    const store = await fixture.restart()
    expect((await store.settings.values()).get('instructions')).toBe(instructions)
    expect(await store.settings.providers()).toEqual([row])
  })

  test('UI-31 DA-14 the report counts the sessions in the bin, those that were deleted with another one too', async () => {
    await using fixture = await open()
    const { store } = fixture
    const inBin = async () => (await store.reports.storage()).inBin
    for (const id of ['a', 'b', 'c'])
      await store.sessions.create(newSession(id, { parentId: id === 'b' ? 'a' : null }))
    await turn(store, 'a', 'm1')
    await store.sessions.setArchived('c', 3_000, 3_000)
    expect(await inBin()).toBe(0)
    await store.sessions.delete('a', { withBranches: true, at: 4_000 })
    expect(await inBin()).toBe(2)
    await store.sessions.delete('c', { withBranches: false, at: 5_000 })
    expect(await inBin()).toBe(3)
    await store.sessions.restore('a', 6_000)
    expect(await inBin()).toBe(1)
    await store.sessions.purge('c')
    await removeSession(store, 'b')
    expect(await inBin()).toBe(0)
    expect((await store.sessions.get('a'))?.deletedAt).toBeNull()
  })
}

import type { ProviderRow } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, turn } from './fixtures.ts'

function provider(id: string, over: Partial<ProviderRow> = {}): ProviderRow {
  return {
    id,
    kind: 'openai-compatible',
    label: null,
    baseURL: 'http://127.0.0.1:9/v1',
    sealedKey: null,
    models: [],
    listed: [],
    ...over,
  }
}

export function settingsContract(open: OpenFixture): void {
  test('UI-31 the size of what is stored grows with it, and counts the bin', async () => {
    await using fixture = await open()
    const { store } = fixture
    const before = await store.reports.storage()
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { question: 'x'.repeat(100_000) })
    const { bytes, freeBytes, inBin } = await store.reports.storage()
    expect(bytes).toBeGreaterThan(before.bytes + 90_000)
    expect(freeBytes).toBeGreaterThanOrEqual(0)
    expect(inBin).toBe(0)
    await store.sessions.delete('a', { withBranches: false, at: 9_000 })
    expect((await store.reports.storage()).inBin).toBe(1)
  })

  test('UI-31 settings are written together, read back as they were, and outlive the host', async () => {
    await using fixture = await open()
    expect(await fixture.store.settings.values()).toEqual(new Map())
    const values = new Map<string, unknown>([
      ['instructions', 'Answer “briefly”. 東京'],
      ['defaultModel', { providerId: 'lab', modelId: 'm1' }],
      ['gone', true],
    ])
    await fixture.store.settings.setValues(values, 1_000)
    await fixture.store.settings.setValues(
      new Map<string, unknown>([
        ['gone', null],
        ['instructions', 'Now this'],
      ]),
      2_000,
    )
    const store = await fixture.restart()
    expect(await store.settings.values()).toEqual(
      new Map<string, unknown>([
        ['instructions', 'Now this'],
        ['defaultModel', { providerId: 'lab', modelId: 'm1' }],
      ]),
    )
  })

  test('UI-31 a provider is replaced in its place, removed once, and outlives the host', async () => {
    await using fixture = await open()
    const { settings } = fixture.store
    await settings.putProvider(provider('b', { sealedKey: 'sealed', models: ['m1', 'm2'] }), 1_000)
    await settings.putProvider(provider('a', { kind: 'google', baseURL: null, label: 'Ours' }), 2_000)
    await settings.putProvider(provider('c'), 3_000)
    const changed = provider('b', { listed: [{ modelId: 'm3', contextLimit: 8_192 }, { modelId: 'm4' }] })
    await settings.putProvider(changed, 4_000)
    expect(await settings.removeProvider('c')).toBe(true)
    expect(await settings.removeProvider('c')).toBe(false)
    const store = await fixture.restart()
    expect(await store.settings.providers()).toEqual([
      changed,
      provider('a', { kind: 'google', baseURL: null, label: 'Ours' }),
    ])
  })
}
